import { List } from '@mantine/core'
import type { LostReleases } from '../../../shared/console/backups.ts'
import { text } from './strings.ts'

/** Versions listed by name; the others are only counted. */
const NAMED = 5

/** Lists the versions that devices may run but that are not in the backup. */
export function LostVersions({ lost }: { readonly lost: LostReleases }) {
  if (lost.count === 0) return null
  const named = lost.newest.slice(0, NAMED)
  const more = lost.count - named.length
  return (
    <div>
      {text.publishAgain(lost.count)}
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
