import { Tooltip } from '@mantine/core'
import { text } from '../strings.ts'
import { formatElsewhere, formatTime, useTimeZone, yearOf } from './time.ts'

/** A moment in the chosen time zone, with the other one on hover. Without a moment, shows `empty`. */
export function When({
  at,
  empty = text.never,
}: {
  readonly at: string | null
  readonly empty?: string
}) {
  useTimeZone()
  if (at === null) return <span>{empty}</span>
  const style = yearOf(at) === yearOf(Date.now()) ? 'short' : 'shortWithYear'
  return (
    <Tooltip label={formatElsewhere(at)} withArrow>
      <time dateTime={at}>{formatTime(at, style)}</time>
    </Tooltip>
  )
}
