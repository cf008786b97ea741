import { Button, Group, Pagination, Table, Text, VisuallyHidden } from '@mantine/core'
import { IconFilePencil } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import type { Draft } from '../../shared/draft.ts'
import { formatCount } from '../../shared/wording/format.ts'
import { useAccess } from '../bridge/access.ts'
import { server } from '../bridge/clients.ts'
import rows from '../components/list/linked-rows.module.css'
import { EmptyState } from '../components/loading/empty-state.tsx'
import { Loaded } from '../components/loading/loaded.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Panel } from '../components/panel.tsx'
import { VersionBadge } from '../components/release/version-badge.tsx'
import { When } from '../components/text/when.tsx'
import { paths } from '../paths.ts'
import { text } from './strings.ts'

const PER_PAGE = 25

/** The releases that are being put together, the one that changed last first. */
export function DraftsScreen() {
  const [page, setPage] = useState(1)
  const drafts = useQuery({
    ...server.drafts.list.queryOptions({ page, perPage: PER_PAGE }),
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <PageHeader
        title={text.title}
        description={text.description}
        trail={[{ name: text.releases, to: paths.releases }]}
        actions={<NewDraft />}
      />
      <Loaded query={drafts}>
        {({ drafts: shown, pageCount, total }) =>
          total === 0 ? (
            <NoDrafts />
          ) : (
            <>
              <DraftsTable drafts={shown} total={total} />
              {pageCount > 1 && (
                <Group justify="end" mt="md">
                  <Pagination
                    component="nav"
                    aria-label={text.pages}
                    size="sm"
                    total={pageCount}
                    value={page}
                    onChange={setPage}
                    getItemProps={(number) => ({ 'aria-label': text.page(number) })}
                    getControlProps={(control) => ({ 'aria-label': text.goTo(control) })}
                  />
                </Group>
              )}
            </>
          )
        }
      </Loaded>
    </>
  )
}

function NewDraft() {
  if (!useAccess().mayInSomeApp('release_manager')) return null
  return (
    <Button component={Link} to={paths.publish} variant="default">
      {text.newDraft}
    </Button>
  )
}

function NoDrafts() {
  const mayPublish = useAccess().mayInSomeApp('release_manager')
  return (
    <EmptyState icon={IconFilePencil} title={text.empty}>
      {mayPublish ? text.emptyHint : text.emptyForViewers}
    </EmptyState>
  )
}

interface Props {
  readonly drafts: readonly Draft[]
  /** How many there are on all pages. */
  readonly total: number
}

/** Drafts as rows; the link in the first cell covers the row. */
function DraftsTable({ drafts, total }: Props) {
  return (
    <Panel flush title={<span role="status">{text.count(total)}</span>}>
      <Table className={rows.table} aria-label={text.title}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{text.draft}</Table.Th>
            <Table.Th ta="end">{text.artifacts}</Table.Th>
            <Table.Th>{text.changed}</Table.Th>
            <Table.Th>{text.expires}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {drafts.map((draft) => (
            <DraftRow key={paths.draft(draft)} draft={draft} />
          ))}
        </Table.Tbody>
      </Table>
    </Panel>
  )
}

function DraftRow({ draft }: { readonly draft: Draft }) {
  const { app, channel, version, artifacts, updatedAt, expiresAt } = draft
  return (
    <Table.Tr className={rows.row}>
      <Table.Td>
        <Link className={rows.link} to={paths.draft(draft)}>
          <VersionBadge app={app} version={version} />
          <VisuallyHidden>{text.of}</VisuallyHidden>
          <Text span size="xs" c="dimmed" ml="xs" className="cut">
            {`${app}/${channel}`}
          </Text>
        </Link>
      </Table.Td>
      <Table.Td ta="end">{formatCount(artifacts.length)}</Table.Td>
      <Table.Td>
        <When at={updatedAt} />
      </Table.Td>
      <Table.Td>
        <When at={expiresAt} />
      </Table.Td>
    </Table.Tr>
  )
}
