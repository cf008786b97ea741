import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { formatElsewhere, formatTime, useTimeZone } from '../components/text/time.ts'
import { agoInWords } from './strings.ts'

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
