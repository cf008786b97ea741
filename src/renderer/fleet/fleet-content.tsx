import { Stack } from '@mantine/core'
import type { Dashboard } from '../../shared/console/fleet.ts'
import { formatCount, formatShare } from '../../shared/wording/format.ts'
import { Stat } from '../components/stat.tsx'
import { AdoptionPanel } from './adoption-panel.tsx'
import classes from './charts.module.css'
import { PlatformsPanel } from './platforms-panel.tsx'
import type { Scope } from './scope.ts'
import { RANGE_WORDS } from './strings.ts'
import { TrafficPanel } from './traffic-panel.tsx'

/** The numbers and the charts. */
export function FleetContent({ data, scope }: { readonly data: Dashboard; readonly scope: Scope }) {
  const { long } = RANGE_WORDS[scope.range]
  return (
    <Stack gap="lg">
      <Totals totals={data.totals} />
      <AdoptionPanel data={data} long={long} />
      <div className={classes.pair}>
        <TrafficPanel data={data} long={long} />
        <PlatformsPanel platforms={data.platforms} />
      </div>
    </Stack>
  )
}

function Totals({ totals }: Pick<Dashboard, 'totals'>) {
  const { newest } = totals
  return (
    <dl className={classes.numbers} aria-label="The fleet in numbers">
      <Stat label="Devices known" value={formatCount(totals.devices)} />
      <Stat label="Seen today" value={formatCount(totals.seenToday)} hint="UTC day" />
      <Stat
        label="Seen in 7 days"
        value={formatCount(totals.seenLast7Days)}
        hint="UTC days, today included"
      />
      <Stat
        label="Seen in 30 days"
        value={formatCount(totals.seenLast30Days)}
        hint="UTC days, today included"
      />
      <Stat
        label="On the newest release"
        value={formatShare(totals.shareOnNewest)}
        hint={newest === null ? 'of those seen in 7 days' : `${newest}, of those seen in 7 days`}
      />
    </dl>
  )
}
