import { BarChart } from '@mantine/charts'
import type { Dashboard } from '../../shared/console/fleet.ts'
import { formatCount, formatCounted } from '../../shared/wording/format.ts'
import { ChartPanel } from './chart-panel.tsx'
import { axisOf, stepWords, tooltipWords } from './strings.ts'

const SERIES = [
  { name: 'offers', label: 'Offered an update', color: 'light-dark(#0b706b, #4eaca8)' },
  { name: 'rest', label: 'Offered nothing', color: 'light-dark(#a9c4c4, #3f6466)' },
]

/** Check-ins over time, and how many of them were answered with an update. */
export function TrafficPanel({ data, long }: { readonly data: Dashboard; readonly long: string }) {
  const { unit, steps, traffic } = data
  const of = (numbers: readonly number[], step: number) => numbers[step] ?? 0
  const all = sum(traffic.checkIns)
  return (
    <ChartPanel
      title="Check-ins"
      summary={`${formatCounted(all, 'check-in')} in ${long}: ${formatCount(sum(traffic.offers))} offered an update, ${formatCount(sum(traffic.anonymous))} anonymous.`}
      table={{
        caption: `Check-ins ${unit === 'hour' ? 'an hour' : 'a UTC day'}, newest first`,
        columns: [unit === 'hour' ? 'Hour' : 'Day', 'Check-ins', 'Offered an update', 'Anonymous'],
        rows: steps
          .map((at, step) => ({
            name: stepWords(unit, at),
            numbers: [traffic.checkIns, traffic.offers, traffic.anonymous].map((numbers) =>
              of(numbers, step),
            ),
          }))
          .toReversed(),
      }}
      chart={
        <BarChart
          h={192}
          type="stacked"
          data={steps.map((at, step) => ({
            at,
            offers: of(traffic.offers, step),
            rest: of(traffic.checkIns, step) - of(traffic.offers, step),
          }))}
          dataKey="at"
          series={SERIES}
          withLegend
          legendProps={{ verticalAlign: 'bottom' }}
          barProps={{ isAnimationActive: false }}
          barChartProps={{ margin: { top: 8, right: 8 }, accessibilityLayer: false }}
          xAxisProps={axisOf(data)}
          yAxisProps={{ width: 56, allowDecimals: false }}
          valueFormatter={formatCount}
          tooltipProps={{ labelFormatter: (at) => tooltipWords(unit, at) }}
        />
      }
    />
  )
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
