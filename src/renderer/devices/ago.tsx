import { Tooltip } from '@mantine/core'
import { useEffect, useState } from 'react'
import { agoInWords } from './ago-words.ts'

/** Milliseconds between two looks at the clock. */
const TICK = 20_000

const local = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** How long ago something was; the moment in local time and in UTC on hover. */
export function Ago({ at }: { readonly at: string }) {
  const now = useNow()
  const date = new Date(at)
  const utc = `${at.slice(0, 19).replace('T', ' ')} UTC`
  return (
    <Tooltip label={`${local.format(date)} (${utc})`} withArrow>
      <time dateTime={at}>{agoInWords(date.getTime(), now)}</time>
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
