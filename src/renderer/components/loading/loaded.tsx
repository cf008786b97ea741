import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { consoleErrorOf } from '../../bridge/error.ts'
import { ErrorNotice } from '../change/error-notice.tsx'
import { Loading, StillLoading } from './loading.tsx'

interface Props<Data> {
  readonly query: UseQueryResult<Data, unknown>
  readonly children: (data: Data) => ReactNode
  /** What stands there until the first answer. */
  readonly loading?: ReactNode
}

/**
 * Shows what a query answered. What it answered last stays while it is asked for again, also when
 * that fails. While the server is away the banner says so, and here stands the skeleton,
 * which says after a while that it takes long.
 */
export function Loaded<Data>({ query, children, loading = <Loading /> }: Props<Data>) {
  const failed = query.error !== null && consoleErrorOf(query.error).code !== 'unavailable'
  const notice = failed && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === undefined) {
    return (
      notice || (
        <>
          {loading}
          <StillLoading />
        </>
      )
    )
  }
  return (
    <>
      {notice}
      {children(query.data)}
    </>
  )
}
