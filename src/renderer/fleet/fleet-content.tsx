import { Stack } from '@mantine/core'
import type { Dashboard } from '../../shared/console/fleet.ts'
import { formatShare } from '../../shared/wording/format.ts'
import { DeviceCount } from '../components/release/device-count.tsx'
import { Stat } from '../components/stat.tsx'
import { AdoptionPanel } from './adoption-panel.tsx'
import classes from './charts.module.css'
import { PlatformsPanel } from './platform-bars.tsx'
import { devicesOf, type Scope } from './scope.ts'
import { text } from './strings.ts'
import { TrafficPanel } from './traffic-panel.tsx'

interface Props {
  readonly scope: Scope
  readonly data: Dashboard
}

/** The numbers and the charts. */
export function FleetContent({ scope, data }: Props) {
  return (
    <Stack gap="lg">
      <Totals scope={scope} totals={data.totals} />
      <AdoptionPanel scope={scope} data={data} />
      <div className={classes.pair}>
        <TrafficPanel scope={scope} data={data} />
        <PlatformsPanel scope={scope} platforms={data.platforms} />
      </div>
    </Stack>
  )
}

interface TotalsProps {
  readonly scope: Scope
  readonly totals: Dashboard['totals']
}

function Totals({ scope, totals }: TotalsProps) {
  const { devices, seenLast24Hours, seenLast7Days, seenLast30Days, latest, shareOnLatest } = totals
  const { seen: _seen, ...all } = devicesOf(scope)
  return (
    <dl className={classes.numbers} aria-label={text.totals}>
      <Stat label={text.devices} value={<DeviceCount count={devices} of={all} />} />
      <Stat
        label={text.seen('24h')}
        value={<DeviceCount count={seenLast24Hours} of={{ ...all, seen: '24h' }} />}
      />
      <Stat
        label={text.seen('7d')}
        value={<DeviceCount count={seenLast7Days} of={{ ...all, seen: '7d' }} />}
      />
      <Stat
        label={text.seen('30d')}
        value={<DeviceCount count={seenLast30Days} of={{ ...all, seen: '30d' }} />}
      />
      <Stat
        label={text.onLatest}
        value={formatShare(shareOnLatest)}
        hint={text.onLatestHint(latest)}
      />
    </dl>
  )
}
