import { Tooltip } from '@mantine/core'
import { text } from '../strings.ts'
import { formatElsewhere, formatTime, type TimeStyle, useTimeZone, yearOf } from './time.ts'

interface Props {
  readonly at: string | null
  readonly empty?: string
  /** How it is written; with the year if that is another than now by default. */
  readonly as?: TimeStyle
}

/** A moment in the chosen time zone, with the other one on hover. Without a moment, shows `empty`. */
export function When({ at, empty = text.never, as }: Props) {
  useTimeZone()
  if (at === null) return <span>{empty}</span>
  const style = as ?? (yearOf(at) === yearOf(Date.now()) ? 'short' : 'shortWithYear')
  return (
    <Tooltip label={formatElsewhere(at)} withArrow>
      <time dateTime={at}>{formatTime(at, style)}</time>
    </Tooltip>
  )
}
