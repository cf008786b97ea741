import { List } from '@mantine/core'
import type { LostReleases } from '../../../shared/console/backups.ts'
import { text } from './strings.ts'

/** Versions listed by name; the others are only counted. */
const NAMED = 5

interface Props {
  /** What is to be said of them. */
  readonly label: string
  readonly releases: LostReleases
}

/** Lists the latest of some releases; nothing if there are none. */
export function ReleaseList({ label, releases }: Props) {
  if (releases.count === 0) return null
  const named = releases.newest.slice(0, NAMED)
  const more = releases.count - named.length
  return (
    <div>
      {label}
      <List size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
        {named.map(({ app, channel, version }) => (
          <List.Item key={`${app} ${channel} ${version}`}>
            {app} {channel} {version}
          </List.Item>
        ))}
        {more > 0 && <List.Item>{text.moreVersions(more)}</List.Item>}
      </List>
    </div>
  )
}
