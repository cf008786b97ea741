import { Tooltip } from '@mantine/core'

const short = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A moment in this machine's time, with UTC on hover. `empty` is said where there is none. */
export function When({
  at,
  empty = 'Never',
}: {
  readonly at: string | null
  readonly empty?: string
}) {
  if (at === null) return <span>{empty}</span>
  const utc = `${at.slice(0, 19).replace('T', ' ')} UTC`
  return (
    <Tooltip label={utc} withArrow>
      <time dateTime={at}>{short.format(new Date(at))}</time>
    </Tooltip>
  )
}
