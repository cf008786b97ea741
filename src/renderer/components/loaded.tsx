import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { ErrorNotice } from './error-notice.tsx'
import { Loading } from './loading.tsx'
import { SlowNotice } from './slow-notice.tsx'

interface Props<Data> {
  readonly query: UseQueryResult<Data, unknown>
  readonly children: (data: Data) => ReactNode
  /** What stands there until the first answer. */
  readonly loading?: ReactNode
}

/** Milliseconds without an answer after which a person should know. */
const SLOW = 5_000

/**
 * Shows what a query answered. The last answer stays while it is asked for again, also when that fails. Until the
 * first one there is a skeleton, but not forever: a failure is said, and so is an answer that takes long.
 */
export function Loaded<Data>({ query, children, loading = <Loading /> }: Props<Data>) {
  const retry = () => void query.refetch()
  const notice = query.error !== null && <ErrorNotice error={query.error} onRetry={retry} />
  if (query.data === undefined) {
    return (
      notice || (
        <>
          <WhenSlow>
            <SlowNotice onRetry={retry} />
          </WhenSlow>
          {loading}
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

/** Shows its children once it has been there for long. */
function WhenSlow({ children }: { readonly children: ReactNode }) {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW)
    return () => clearTimeout(timer)
  }, [])
  return isSlow && children
}
