import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { agoInWords } from './strings.ts'

/** Milliseconds between two looks at the clock. */
const TICK = 20_000

const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** A moment to the second, in local time; in UTC on hover. */
export function Exactly({ at }: { readonly at: string }) {
  return (
    <Tooltip label={inUtc(at)} withArrow>
      <time dateTime={at}>{local.format(new Date(at))}</time>
    </Tooltip>
  )
}

/** How long ago something was; the moment in local time and in UTC on hover. */
export function Ago({ at }: { readonly at: string }) {
  const now = useNow()
  const date = new Date(at)
  return (
    <Tooltip label={`${local.format(date)} (${inUtc(at)})`} withArrow>
      <time dateTime={at}>{agoInWords(date.getTime(), now)}</time>
    </Tooltip>
  )
}

function inUtc(at: string): string {
  return `${at.slice(0, 19).replace('T', ' ')} UTC`
}

function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK)
    return () => clearInterval(timer)
  }, [])
  return now
}
