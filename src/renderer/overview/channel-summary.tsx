import { Anchor, Button, Text } from '@mantine/core'
import { IconTargetArrow } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { ChannelOverview, LiveRelease, Overview } from '../../shared/console/overview.ts'
import { formatCount, formatShare } from '../../shared/wording/format.ts'
import { DeviceCount } from '../components/device-count.tsx'
import { RolloutBar } from '../components/rollout-bar.tsx'
import { Stat } from '../components/stat.tsx'
import { VersionBadge } from '../components/version-badge.tsx'
import { paths } from '../paths.ts'
import classes from './overview.module.css'

interface Props {
  readonly app: Pick<Overview['apps'][number], 'ref' | 'name'>
  readonly channel: ChannelOverview
}

/** One channel: its devices, and every release that it offers now with how far it is. */
export function ChannelSummary({ app, channel }: Props) {
  const label = `${app.name}, channel ${channel.name}`
  const { live } = channel
  const on = { app: app.ref, channel: channel.name }
  return (
    <section className={classes.channel} aria-label={label}>
      <Anchor
        component={Link}
        to={paths.channelReleases(app.ref, channel.name)}
        fw={600}
        c="inherit"
        aria-label={`Releases of ${label}`}
      >
        {channel.name}
      </Anchor>
      <dl className={classes.stats}>
        <Stat
          label="Devices, 24 h"
          value={<DeviceCount count={channel.seenLast24Hours} of={{ ...on, seen: '24h' }} />}
        />
        <Stat
          label="Devices, 7 d"
          value={<DeviceCount count={channel.seenLast7Days} of={{ ...on, seen: '7d' }} />}
        />
        <Stat label="On the newest" value={formatShare(channel.shareOnNewest)} />
        <Stat label="Checks in 24 hours" value={formatCount(channel.checkInsLast24Hours)} />
      </dl>
      {live.length === 0 ? (
        <NothingLive app={app.ref} channel={channel} />
      ) : (
        <ul className={classes.rollouts} aria-label={`Live on ${label}`}>
          {live.map((release) => (
            <LiveRow key={release.version} on={on} release={release} />
          ))}
        </ul>
      )}
    </section>
  )
}

interface NothingLiveProps {
  readonly app: string
  readonly channel: ChannelOverview
}

function NothingLive({ app, channel: { name, releases } }: NothingLiveProps) {
  return (
    <div className={classes.nothing}>
      <Text size="sm" c="dimmed">
        {releases === 0
          ? 'Nothing was published on this channel yet.'
          : 'Nothing is live: every release of this channel is paused, rolled back or without artifacts.'}
      </Text>
      <Button component={Link} to={paths.publishTo(app, name)} variant="default" size="xs">
        Publish a release
      </Button>
    </div>
  )
}

interface LiveRowProps {
  readonly on: { readonly app: string; readonly channel: string }
  readonly release: LiveRelease
}

function LiveRow({ on, release }: LiveRowProps) {
  const { version, rolloutPct, adoption, devices, targeted } = release
  return (
    <li className={classes.rollout}>
      <Link className={classes.version} to={paths.release({ ...on, version })}>
        <VersionBadge app={on.app} version={version} />
      </Link>
      <RolloutBar pct={rolloutPct} adoption={adoption} />
      <Text size="sm" c="dimmed" className={classes.words}>
        {adoption === null ? (
          'No devices yet'
        ) : (
          <>
            Adoption {formatShare(adoption)},
            <DeviceCount named count={devices} of={{ ...on, version, seen: '7d' }} />
          </>
        )}
      </Text>
      <Text size="sm" c="dimmed" className={classes.words}>
        {targeted && (
          <>
            <IconTargetArrow size={14} aria-hidden="true" /> Targeted
          </>
        )}
      </Text>
    </li>
  )
}
