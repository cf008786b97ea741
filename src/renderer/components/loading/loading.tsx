import { Group, Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { consoleErrorOf } from '../../bridge/error.ts'
import { refreshOld, retryLoading } from '../../bridge/query-client.ts'
import { useServerState } from '../../bridge/server-state.tsx'
import { ErrorNotice, SmallButton } from '../blocks.tsx'
import { text } from '../strings.ts'
import { Quiet, When } from '../text/words.tsx'

/** Milliseconds until a skeleton says that the answer takes long. */
const LONG = 10_000

interface Props {
  /** Rows that the screen will have about; the layout does not jump when they come. */
  readonly rows?: number
  /** Height of a row in pixels. */
  readonly height?: number
}

/** Stands where a list or a table will be. */
export function Loading({ rows = 5, height = 40 }: Props) {
  return (
    <Stack gap="xs" aria-busy="true">
      <VisuallyHidden role="status">{text.loading}</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
        <Skeleton key={row} height={height} />
      ))}
    </Stack>
  )
}

/** Stands below a skeleton. Says after a while that the answer takes long, and asks again for what is missing. */
export function StillLoading() {
  const [attempt, setAttempt] = useState(0)
  const [isLong, setLong] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt takes its own time
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG)
    return () => clearTimeout(timer)
  }, [attempt])
  if (!isLong) return null
  const retry = () => {
    setLong(false)
    setAttempt(attempt + 1)
    void retryLoading()
  }
  return (
    <Group role="alert" mt="md" gap="sm" justify="center">
      <Quiet>{text.stillLoading}</Quiet>
      <SmallButton onClick={retry}>{text.retry}</SmallButton>
    </Group>
  )
}

interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data, unknown>
  readonly children: (data: Data) => ReactNode
  /** What stands there until the first answer. */
  readonly loading?: ReactNode
  /** False inside of one that says how old it is. */
  readonly saysAge?: boolean
}

/**
 * Shows what a query answered. What it answered last stays while it is asked for again, also when that fails: then it says as
 * of when it is. While the server is away the banner says so, and before the first answer here stands the skeleton, which
 * says after a while that it takes long.
 */
export function Loaded<Data>(props: LoadedProps<Data>) {
  const { query, children, loading = <Loading />, saysAge = true } = props
  const { state } = useServerState()
  const failed = query.error !== null && consoleErrorOf(query.error).code !== 'unavailable'
  const notice = failed && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
  const isOld = query.error !== null || state === 'unreachable' || state === 'restarting'
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
      {isOld && saysAge && (
        <Group gap="xs" mb="sm" role="status">
          <Quiet>
            {text.asOf} <When at={new Date(query.dataUpdatedAt).toISOString()} />.{' '}
            {text.notRefreshed}
          </Quiet>
          {!failed && <SmallButton onClick={() => void refreshOld()}>{text.refresh}</SmallButton>}
        </Group>
      )}
      {children(query.data)}
    </>
  )
}
