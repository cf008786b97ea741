import { List, Stack, Table } from '@mantine/core'
import type { DataCounts, Inspection } from '../../../shared/console/backups.ts'
import { formatCount } from '../../../shared/wording/format.ts'
import { accessGroups } from '../../../shared/wording/restored-access.ts'
import { Notice } from '../../components/notice.tsx'
import { Small } from '../../components/text/quiet.tsx'
import { When } from '../../components/text/when.tsx'
import { LackingReleases, LostVersions, NamedList } from './release-list.tsx'
import { text } from './strings.ts'

type Restorable = Extract<Inspection, { ok: true }>

const ROWS = ['apps', 'releases', 'devices'] as const satisfies readonly (keyof DataCounts)[]

/** What restoring a backup does, in numbers: what is lost first. */
export function RestorePreview({ inspection }: { readonly inspection: Restorable }) {
  const { copy, present, lost, access, carriedOver, offered, files } = inspection
  return (
    <Stack gap="sm">
      <div>
        {text.verifiedFrom} <When at={copy.madeAt} />
        <Small className="wraps">{copy.file}</Small>
      </div>
      {carriedOver === null && (
        <Notice>
          {text.presentUnreadable} {text.nothingKept}
        </Notice>
      )}
      <Contents present={present} after={copy.counts} />
      <List size="sm" spacing={8} className="wraps">
        <List.Item>
          {lost.count === 0 ? text.noReleaseLost : text.releasesLost(lost.count)}
          <LostVersions lost={lost} />
        </List.Item>
        {carriedOver !== null && <List.Item>{text.kept(carriedOver)}</List.Item>}
        {accessGroups(access).map(({ heading, items }) => (
          <List.Item key={heading}>
            <NamedList label={heading} items={items} />
          </List.Item>
        ))}
        {offered > 0 && <List.Item>{text.offered(offered)}</List.Item>}
        {files !== null && files.count > 0 && (
          <List.Item>{text.filesRestored(files.count, files.bytes)}</List.Item>
        )}
        {files !== null && files.lacking.count > 0 && (
          <List.Item>
            <LackingReleases lacking={files.lacking} />
          </List.Item>
        )}
        <List.Item>{text.undone}</List.Item>
        <List.Item>{text.downtime}</List.Item>
        <List.Item>{text.signsOut}</List.Item>
      </List>
    </Stack>
  )
}

interface ContentsProps {
  readonly present: DataCounts | null
  readonly after: DataCounts
}

function Contents({ present, after }: ContentsProps) {
  return (
    <Table aria-label={text.contents} verticalSpacing={4} horizontalSpacing={8}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{text.contents}</Table.Th>
          <Table.Th ta="right">{text.now}</Table.Th>
          <Table.Th ta="right">{text.after}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {ROWS.map((row) => (
          <Table.Tr key={row}>
            <Table.Th scope="row">{text[row]}</Table.Th>
            <Table.Td ta="right">
              {present === null ? text.unknown : formatCount(present[row])}
            </Table.Td>
            <Table.Td ta="right">{formatCount(after[row])}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}
