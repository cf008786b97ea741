import { useInfiniteQuery } from '@tanstack/react-query'
import type { AuditFilter } from '../../shared/console/audit.ts'
import { server, serverClient } from '../bridge/clients.ts'

const PER_PAGE = 50

/** The entries that match, newest first, as many pages of them as were asked for. */
export function useEntries(filter: AuditFilter) {
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
