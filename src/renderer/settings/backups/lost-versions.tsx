import { List } from '@mantine/core'
import type { LostReleases } from '../../../shared/console/backups.ts'
import { formatCounted } from '../../../shared/wording/format.ts'

/** Versions listed by name; the others are only counted. */
const NAMED = 5

/** Lists the versions that devices may run but that are not in the backup. */
export function LostVersions({ lost }: { readonly lost: LostReleases }) {
  if (lost.count === 0) return null
  const named = lost.newest.slice(0, NAMED)
  const more = lost.count - named.length
  return (
    <div>
      Devices may run {lost.count === 1 ? 'this version' : 'these versions'}, which{' '}
      {lost.count === 1 ? 'is' : 'are'} not in the backup. Publish{' '}
      {lost.count === 1 ? 'it' : 'them'} again with the same files:
      <List size="sm" mt={4}>
        {named.map(({ app, channel, version }) => (
          <List.Item key={`${app} ${channel} ${version}`}>
            {app} {channel} {version}
          </List.Item>
        ))}
        {more > 0 && <List.Item>and {formatCounted(more, 'other version')}</List.Item>}
      </List>
    </div>
  )
}
