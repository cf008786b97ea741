import { Group, Table, VisuallyHidden } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { AppName } from '../../shared/console/apps.ts'
import type { AuditFilter } from '../../shared/console/audit.ts'
import { server, serverClient } from '../bridge/clients.ts'
import { PlainButton } from '../components/blocks.tsx'
import {
  type Export,
  ExportButton,
  ExportFailure,
  useExport,
} from '../components/change/export-button.tsx'
import { useAddressFilters } from '../components/list/address-filters.ts'
import { AppNotFound, EmptyState, NoResults } from '../components/loading/empty-state.tsx'
import { Loaded } from '../components/loading/loading.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { text as common } from '../components/strings.ts'
import { Quiet } from '../components/text/words.tsx'
import { paths } from '../paths.ts'
import classes from './audit.module.css'
import type { AuditEntry } from './entry.ts'
import { EntryRows } from './entry-rows.tsx'
import { FilterBar } from './filter-bar.tsx'
import { filterInput, isNarrowed, NO_FILTERS, readFilters, writeFilters } from './filters.ts'
import { text } from './strings.ts'

/** Every change of the catalog, newest first, narrowed by what the address of the screen says. */
export function Component() {
  const [filters, change] = useAddressFilters(readFilters, writeFilters)
  const filter = filterInput(filters)
  const apps = useQuery(server.apps.names.queryOptions())
  const log = useEntries(filter)
  const exporting = useExport()
  // What is shown may still be the answer to filters that were just taken away.
  const narrowed = isNarrowed(filters) || log.isPlaceholderData
  const total = log.data?.pages[0]?.total
  // Entries of an app that was deleted stay in the log.
  const isUnknown =
    filters.app !== '' && apps.data?.every(({ ref }) => ref !== filters.app) === true
  const empty = total === 0 && !narrowed
  return (
    <>
      <PageHeader
        title={text.title}
        description={text.description}
        actions={!empty && <ExportButton exporting={exporting} what={exportOf(filter)} />}
      />
      <ExportFailure exporting={exporting} what={exportOf(filter)} title={text.notExported} />
      {!empty && <FilterBar filters={filters} apps={apps.data} onChange={change} />}
      <Loaded query={log}>
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.entries)
          if (entries.length === 0) {
            if (isUnknown) return <AppNotFound app={filters.app} />
            if (!narrowed) {
              const link = { to: paths.apps, name: common.openApps, isNext: false }
              return (
                <EmptyState
                  icon={IconHistory}
                  title={text.emptyTitle}
                  link={link}
                  hint={text.empty}
                />
              )
            }
            return <NoResults hint={text.noMatch} onClear={() => change(NO_FILTERS)} />
          }
          return (
            <>
              <AuditTable entries={entries} apps={apps.data ?? []} />
              <Group justify="space-between" mt="md" mih={36}>
                <Quiet role="status">{text.count(entries.length, total ?? 0)}</Quiet>
                {log.hasNextPage && (
                  <PlainButton
                    loading={log.isFetchingNextPage}
                    onClick={() => void log.fetchNextPage()}
                  >
                    {text.showOlder}
                  </PlainButton>
                )}
              </Group>
            </>
          )
        }}
      </Loaded>
    </>
  )
}

function exportOf(filter: AuditFilter): Export {
  return {
    name: 'tidegate-audit',
    done: text.exported,
    subscribe: (listener) => serverClient.audit.export.subscribe(filter, listener),
  }
}

const PER_PAGE = 50

/** The entries that match, newest first, as many pages of them as were asked for. */
function useEntries(filter: AuditFilter) {
  return useInfiniteQuery({
    queryKey: [...server.audit.list.queryKey(), 'pages', filter],
    queryFn: ({ pageParam: before }) =>
      serverClient.audit.list.query({ ...filter, before, perPage: PER_PAGE }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    // What was shown stays while other filters are asked for.
    placeholderData: (known) => known,
  })
}

interface Props {
  readonly entries: readonly AuditEntry[]
  readonly apps: readonly AppName[]
}

/** Entries as rows, latest first. */
function AuditTable({ entries, apps }: Props) {
  return (
    <Table.ScrollContainer minWidth={640} type="native" className="sheet">
      <Table className={classes.table} aria-label={text.title} horizontalSpacing={8}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th className={classes.toggle}>
              <VisuallyHidden>{text.details}</VisuallyHidden>
            </Table.Th>
            <Table.Th className={classes.when}>{text.time}</Table.Th>
            <Table.Th>{text.change}</Table.Th>
            <Table.Th className={classes.subject}>{text.subject}</Table.Th>
            <Table.Th className={classes.who}>{text.actor}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map((entry) => (
            <EntryRows key={entry.id} entry={entry} apps={apps} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}
