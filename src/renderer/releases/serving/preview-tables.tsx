import { Table, Tabs } from '@mantine/core'
import type { Preview } from '../../../shared/console/releases.ts'
import { formatCount } from '../../../shared/wording/format.ts'
import { VersionBadge } from '../../components/release/version-badge.tsx'
import classes from './preview.module.css'
import { text } from './strings.ts'

type Counts = Preview['byVersion']

interface Props {
  readonly app: string
  readonly preview: Preview
}

/** The devices concerned, by what they run, where, and how they are labelled. */
export function PreviewTables({ app, preview }: Props) {
  const tables = [
    { key: 'version', name: text.byVersion, counts: preview.byVersion },
    { key: 'platform', name: text.byPlatform, counts: preview.byPlatform },
    { key: 'label', name: text.byLabel, counts: preview.byLabel },
  ].map((table) => ({ ...table, counts: table.counts.filter(concerned) }))
  const [first] = tables.filter(({ counts }) => counts.length > 0)
  if (first === undefined) return null
  return (
    <Tabs defaultValue={first.key}>
      <Tabs.List>
        {tables.map(({ key, name, counts }) => (
          <Tabs.Tab key={key} value={key} disabled={counts.length === 0}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tables.map(({ key, counts }) => (
        <Tabs.Panel key={key} value={key} className={classes.table}>
          <CountTable app={app} counts={counts} versions={key === 'version'} />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}

interface CountTableProps {
  readonly app: string
  readonly counts: Counts
  readonly versions: boolean
}

function CountTable({ app, counts, versions }: CountTableProps) {
  return (
    <Table verticalSpacing={4}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{versions ? text.runs : text.devices}</Table.Th>
          <Table.Th ta="end">{text.gaining}</Table.Th>
          <Table.Th ta="end">{text.losing}</Table.Th>
          <Table.Th ta="end">{text.movingDown}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {counts.map(({ name, gaining, losing, movingDown }) => (
          <Table.Tr key={name}>
            <Table.Td>{versions ? <VersionBadge app={app} version={name} /> : name}</Table.Td>
            <Table.Td ta="end">{formatCount(gaining)}</Table.Td>
            <Table.Td ta="end">{formatCount(losing)}</Table.Td>
            <Table.Td ta="end">{formatCount(movingDown)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

function concerned({ gaining, losing, movingDown }: Counts[number]): boolean {
  return gaining + losing + movingDown > 0
}
