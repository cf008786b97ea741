import { Group, Text } from '@mantine/core'
import type { DeviceDetail } from '../../../shared/console/devices.ts'
import { VersionBadge } from '../../components/version-badge.tsx'
import { When } from '../../components/when.tsx'
import { systemInWords } from '../strings.ts'
import classes from './device.module.css'

/** What a device ran since when, newest first. */
export function VersionHistory({ device }: { readonly device: DeviceDetail }) {
  const { history, moreHistory } = device
  if (history.length === 0) {
    return <Text c="dimmed">Nothing is noted yet. The next change of its version is.</Text>
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <ol className={classes.history} tabIndex={0} aria-label="Version history, newest first">
        {history.map(({ at, ...profile }) => (
          <li key={at}>
            <Group gap="xs" wrap="nowrap" justify="space-between">
              {profile.version === null ? (
                <Text span size="sm" c="dimmed">
                  Unknown
                </Text>
              ) : (
                <VersionBadge app={device.app} version={profile.version} />
              )}
              <Text size="xs" c="dimmed">
                since <When at={at} />
              </Text>
            </Group>
            <Text size="xs" c="dimmed">
              {profile.version === null
                ? 'No longer recorded'
                : `${profile.channel ?? 'a channel that was removed'}, ${systemInWords(profile)}`}
            </Text>
          </li>
        ))}
      </ol>
      {moreHistory && (
        <Text size="xs" c="dimmed" mt="xs">
          Older versions are not shown.
        </Text>
      )}
    </>
  )
}
