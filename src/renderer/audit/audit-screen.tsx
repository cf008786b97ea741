import { Button, Group, Text } from '@mantine/core'
import { IconFilterOff, IconHistory } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import type { AuditFilter } from '../../shared/console/audit.ts'
import { formatCount, formatCounted } from '../../shared/wording/format.ts'
import { server, serverClient } from '../bridge/clients.ts'
import { EmptyState } from '../components/empty-state.tsx'
import { ErrorNotice } from '../components/error-notice.tsx'
import { Loaded } from '../components/loaded.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { useAddressFilters } from '../components/use-address-filters.ts'
import { paths } from '../paths.ts'
import { AuditTable } from './audit-table.tsx'
import { ExportButton } from './export-button.tsx'
import { FilterBar } from './filter-bar.tsx'
import { filterInput, isNarrowed, NO_FILTERS, readFilters, writeFilters } from './filters.ts'
import { useExport } from './use-export.ts'

/** Every change of the catalog, newest first, narrowed by what the address of the screen says. */
export function AuditScreen() {
  const [filters, change] = useAddressFilters(readFilters, writeFilters)
  const filter = filterInput(filters)
  const apps = useQuery(server.apps.list.queryOptions())
  const log = useEntries(filter)
  const saved = useExport()
  // What is shown may still be the answer to filters that were just taken away.
  const narrowed = isNarrowed(filters) || log.isPlaceholderData
  const total = log.data?.pages[0]?.total
  const empty = total === 0 && !narrowed
  return (
    <>
      <PageHeader
        title="Audit log"
        description="What was changed, by whom and from where. Entries are added, never changed or taken away."
        actions={
          !empty && (
            <ExportButton
              state={saved.state}
              onStart={() => saved.start(filter)}
              onCancel={saved.cancel}
            />
          )
        }
      />
      {saved.state.state === 'failed' && (
        <ErrorNotice
          error={saved.state.error}
          title="The audit log was not exported"
          onRetry={() => saved.start(filter)}
        />
      )}
      {!empty && <FilterBar filters={filters} apps={apps.data ?? []} onChange={change} />}
      <Loaded query={log}>
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.entries)
          if (entries.length === 0) {
            return narrowed ? <NoMatch onReset={() => change(NO_FILTERS)} /> : <Empty />
          }
          return (
            <>
              <AuditTable entries={entries} apps={apps.data ?? []} />
              <Group justify="space-between" mt="md" mih={36}>
                <Text size="sm" c="dimmed" role="status">
                  {counted(entries.length, total ?? 0)}
                </Text>
                {log.hasNextPage && (
                  <Button
                    variant="default"
                    loading={log.isFetchingNextPage}
                    onClick={() => void log.fetchNextPage()}
                  >
                    Show older entries
                  </Button>
                )}
              </Group>
            </>
          )
        }}
      </Loaded>
    </>
  )
}

function counted(shown: number, total: number): string {
  if (shown >= total) return formatCounted(total, 'entry', 'entries')
  return `${formatCount(shown)} of ${formatCounted(total, 'entry', 'entries')}`
}

function NoMatch({ onReset }: { readonly onReset: () => void }) {
  return (
    <EmptyState
      icon={IconFilterOff}
      title="No entry matches"
      action={
        <Button variant="default" onClick={onReset}>
          Show all entries
        </Button>
      }
    >
      Nothing is left with these filters. Change one, or take all of them away.
    </EmptyState>
  )
}

function Empty() {
  return (
    <EmptyState
      icon={IconHistory}
      title="Nothing was changed yet"
      action={
        <Button component={Link} to={paths.apps} variant="default">
          Open apps and channels
        </Button>
      }
    >
      Create an app, publish a release or make a key, here, on the command line or with an API key.
      It is noted here, with what was there before.
    </EmptyState>
  )
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
