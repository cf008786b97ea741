import { List } from '@mantine/core'
import type { LostReleases } from '../../../shared/console/settings/backups.ts'
import { text } from './strings.ts'

/** Versions listed by name; the others are only counted. */
const NAMED = 5

interface Props {
  /** What is to be said of them. */
  readonly label: string
  readonly releases: LostReleases
}

/** Lists the latest of some releases; nothing if there are none. */
function ReleaseList({ label, releases }: Props) {
  if (releases.count === 0) return null
  const named = releases.newest.slice(0, NAMED)
  const more = releases.count - named.length
  const items = named.map(({ app, channel, version }) => `${app} ${channel} ${version}`)
  return <NamedList label={label} items={more > 0 ? [...items, text.moreVersions(more)] : items} />
}

/** Lists items, each different from the others, below what is to be said of them. */
export function NamedList({ label, items }: { label: string; items: readonly string[] }) {
  return (
    <div>
      {label}
      <List size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
        {items.map((item) => (
          <List.Item key={item}>{item}</List.Item>
        ))}
      </List>
    </div>
  )
}

/** Lists the versions that devices may run but that are not in the backup. */
export function LostVersions({ lost }: { readonly lost: LostReleases }) {
  return <ReleaseList label={text.publishAgain(lost.count)} releases={lost} />
}

/** Lists the releases that lack files which the server should store. */
export function LackingReleases({ lacking }: { readonly lacking: LostReleases }) {
  return <ReleaseList label={text.lacking(lacking.count)} releases={lacking} />
}
