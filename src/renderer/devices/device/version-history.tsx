import { Group, Text } from '@mantine/core'
import type { DeviceDetail } from '../../../shared/console/devices.ts'
import { VersionBadge } from '../../components/release/version-badge.tsx'
import { Quiet, Small } from '../../components/text/quiet.tsx'
import { When } from '../../components/text/when.tsx'
import { systemInWords, deviceText as text } from '../strings.ts'
import classes from './device.module.css'

/** What a device ran since when, latest first. */
export function VersionHistory({ device }: { readonly device: DeviceDetail }) {
  const { history, moreHistory } = device
  if (history.length === 0) {
    return <Text c="dimmed">{text.noHistory}</Text>
  }
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <ol className={classes.history} tabIndex={0} aria-label={text.historyList}>
        {history.map(({ at, ...profile }) => (
          <li key={at}>
            <Group gap="0 8px" justify="space-between">
              {profile.version === null ? (
                <Quiet span>{text.unknown}</Quiet>
              ) : (
                <VersionBadge app={device.app} version={profile.version} />
              )}
              <Small>
                {text.since} <When at={at} />
              </Small>
            </Group>
            <Small>
              {profile.version === null
                ? text.notRecorded
                : text.ran(profile.channel ?? text.channelDeleted, systemInWords(profile))}
            </Small>
          </li>
        ))}
      </ol>
      {moreHistory && <Small mt="xs">{text.moreHistory}</Small>}
    </>
  )
}
