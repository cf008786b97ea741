import { Tooltip } from '@mantine/core'

const DAY_AND_TIME = { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' } as const
const thisYear = new Intl.DateTimeFormat(undefined, DAY_AND_TIME)
const otherYear = new Intl.DateTimeFormat(undefined, { year: 'numeric', ...DAY_AND_TIME })

/** A moment in this machine's time, with UTC on hover. `empty` is said where there is none. */
export function When({
  at,
  empty = 'Never',
}: {
  readonly at: string | null
  readonly empty?: string
}) {
  if (at === null) return <span>{empty}</span>
  const date = new Date(at)
  const local = date.getFullYear() === new Date().getFullYear() ? thisYear : otherYear
  const utc = `${at.slice(0, 19).replace('T', ' ')} UTC`
  return (
    <Tooltip label={utc} withArrow>
      <time dateTime={at}>{local.format(date)}</time>
    </Tooltip>
  )
}
