import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { agoInWords } from '../../devices/strings.ts'
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

/** Milliseconds between two looks at the clock. */
const TICK = 20_000

/** A moment to the second, in the chosen time zone; in the other one on hover. */
export function Exactly({ at }: { readonly at: string }) {
  useTimeZone()
  return (
    <Tooltip label={formatElsewhere(at)} withArrow>
      <time dateTime={at}>{formatTime(at, 'exact')}</time>
    </Tooltip>
  )
}

/** How long ago something was; the moment itself on hover. */
export function Ago({ at }: { readonly at: string }) {
  useTimeZone()
  const now = useNow()
  return (
    <Tooltip label={`${formatTime(at, 'exact')} (${formatElsewhere(at)})`} withArrow>
      <time dateTime={at}>{agoInWords(Date.parse(at), now)}</time>
    </Tooltip>
  )
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK)
    return () => clearInterval(timer)
  }, [])
  return now
}
