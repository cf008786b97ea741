import { Button, Text } from '@mantine/core'
import { memo, useMemo, useState } from 'react'
import { Link } from 'react-router'
import type { LiveRelease, Overview } from '../../shared/console/overview.ts'
import { Panel } from '../components/panel.tsx'
import { DeviceCount } from '../components/release/device-count.tsx'
import { RolloutBar } from '../components/release/rollout-bar.tsx'
import { VersionBadge } from '../components/release/version-badge.tsx'
import { Quiet } from '../components/text/quiet.tsx'
import { paths } from '../paths.ts'
import { keyOf } from './plans-panel.tsx'
import classes from './rollouts.module.css'
import { text } from './strings.ts'

/** Lines shown at first. */
const FEW = 8

interface Rollout extends LiveRelease {
  readonly app: string
  readonly channel: string
}

interface Props extends Pick<Overview, 'apps'> {
  /** The releases that are shown with their plan, see `keyOf`. */
  readonly planned: ReadonlySet<string>
}

/** One line for each release that a person offered to a part of the devices. */
export const RolloutsPanel = memo(function RolloutsPanel({ apps, planned }: Props) {
  const [showsAll, setShowsAll] = useState(false)
  const rollouts = useMemo(
    () => rolloutsOf(apps).filter((rollout) => !planned.has(keyOf(rollout))),
    [apps, planned],
  )
  if (rollouts.length === 0) return null
  const shown = showsAll ? rollouts : rollouts.slice(0, FEW)
  return (
    <Panel
      flush
      title={text.rollouts.title}
      actions={
        shown.length < rollouts.length && (
          <Button variant="subtle" size="xs" onClick={() => setShowsAll(true)}>
            {text.rollouts.showAll(rollouts.length)}
          </Button>
        )
      }
    >
      <ul className={classes.list} aria-label={text.rollouts.title}>
        {shown.map((rollout) => (
          <RolloutLine
            key={`${rollout.app}/${rollout.channel}/${rollout.version}`}
            rollout={rollout}
          />
        ))}
      </ul>
    </Panel>
  )
})

const RolloutLine = memo(function RolloutLine({ rollout }: { readonly rollout: Rollout }) {
  const { app, channel, version, rolloutPct, adoption, devices } = rollout
  const place = text.rollouts.place(app, channel)
  return (
    <li className={classes.line}>
      <Link className={classes.version} to={paths.release({ app, channel, version })}>
        <VersionBadge app={app} version={version} />
      </Link>
      <Text size="sm" className="cut" title={place}>
        {place}
      </Text>
      <RolloutBar bare pct={rolloutPct} adoption={adoption} />
      <Text size="sm" className={classes.progress}>
        <span role="img" aria-label={text.rollouts.progressLabel(adoption, rolloutPct)}>
          {text.rollouts.progress(adoption, rolloutPct)}
        </span>
      </Text>
      <Quiet>
        <DeviceCount named count={devices} of={{ app, channel, version, seen: '7d' }} />
      </Quiet>
    </li>
  )
})

function rolloutsOf(apps: Overview['apps']): Rollout[] {
  return apps.flatMap(({ ref, channels }) =>
    channels.flatMap(({ name, live }) =>
      live
        .filter(({ rolloutPct }) => rolloutPct > 0 && rolloutPct < 100)
        .map((release) => ({ ...release, app: ref, channel: name })),
    ),
  )
}
