import { BarChart } from '@mantine/charts'
import { Stack } from '@mantine/core'
import type { Dashboard } from '../../shared/console/fleet.ts'
import { formatCount, formatShare } from '../../shared/wording/format.ts'
import { Stat } from '../components/blocks.tsx'
import { DeviceCount } from '../components/release/device-count.tsx'
import { AdoptionPanel } from './adoption-panel.tsx'
import { axisOf, ChartPanel } from './chart-panel.tsx'
import { ChartTooltip } from './chart-parts.tsx'
import classes from './charts.module.css'
import { PlatformsPanel } from './platform-bars.tsx'
import { devicesOf, type Scope } from './scope.ts'
import { stepWords, text } from './strings.ts'

/** Pixels of the chart. */
const HEIGHT = 192

/** The numbers and the charts. */
export function FleetContent({ scope, data }: { readonly scope: Scope; readonly data: Dashboard }) {
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
  const { devices, seenLast24Hours, seenLast7Days, seenLast30Days, shareUpToDate } = totals
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
      <Stat label={text.upToDate} value={formatShare(shareUpToDate)} hint={text.upToDateHint} />
    </dl>
  )
}

interface TrafficPanelProps {
  readonly scope: Scope
  readonly data: Dashboard
}

/** Check-ins over time, and how many of them were answered with an update. */
function TrafficPanel({ scope, data }: TrafficPanelProps) {
  const { unit, steps, traffic } = data
  const { checkIns, offers, anonymous } = traffic
  const bands = [
    {
      ...{ key: 'rest', name: text.notOffered, color: 'light-dark(#a9c4c4, #3f6466)' },
      numbers: checkIns.map((count, step) => count - (offers[step] ?? 0)),
    },
    {
      ...{ key: 'offers', name: text.offered, color: 'light-dark(#0b706b, #4eaca8)' },
      numbers: offers,
    },
  ]
  return (
    <ChartPanel
      title={text.checkIns}
      summary={text.checkInsSummary(scope.range, sum(checkIns), sum(offers), sum(anonymous))}
      table={{
        caption: text.checkInsTable(unit),
        columns: [text.step(unit), text.checkIns, text.offered, text.anonymous],
        rows: steps
          .map((at, step) => ({
            name: stepWords(unit, at),
            numbers: [checkIns, offers, anonymous].map((numbers) => numbers[step] ?? 0),
          }))
          .toReversed(),
      }}
      height={HEIGHT}
      chart={
        <BarChart
          h={HEIGHT}
          type="stacked"
          data={steps.map((at, step) => ({
            at,
            ...Object.fromEntries(bands.map(({ key, numbers }) => [key, numbers[step] ?? 0])),
          }))}
          dataKey="at"
          series={bands
            .map(({ key, name, color }) => ({ name: key, label: name, color }))
            .toReversed()}
          withLegend
          legendProps={{ verticalAlign: 'bottom' }}
          barProps={{ isAnimationActive: false }}
          barChartProps={{ margin: { top: 8, right: 8 }, accessibilityLayer: false }}
          xAxisProps={axisOf(data)}
          yAxisProps={{ width: 56, allowDecimals: false }}
          valueFormatter={formatCount}
          tooltipProps={{
            content: ({ label }) => (
              <ChartTooltip data={data} bands={bands} total={checkIns} at={label} />
            ),
          }}
        />
      }
    />
  )
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
