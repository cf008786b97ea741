import { BarChart } from '@mantine/charts'
import type { Dashboard } from '../../shared/console/fleet.ts'
import { formatCount } from '../../shared/wording/format.ts'
import { axisOf, ChartPanel } from './chart-panel.tsx'
import { ChartTooltip } from './chart-tooltip.tsx'
import type { Scope } from './scope.ts'
import { stepWords, text } from './strings.ts'

interface Props {
  readonly scope: Scope
  readonly data: Dashboard
}

/** Check-ins over time, and how many of them were answered with an update. */
export function TrafficPanel({ scope, data }: Props) {
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
      chart={
        <BarChart
          h={192}
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
