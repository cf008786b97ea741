import { CompositeChart } from '@mantine/charts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Dashboard } from '../../../shared/console/fleet.ts'
import type { PlanForecast } from '../../../shared/console/releases/plans.ts'
import { formatCount, formatPercent } from '../../../shared/wording/format.ts'
import { server } from '../../bridge/clients.ts'
import { Loaded } from '../../components/loading/loading.tsx'
import { useVersionColors } from '../../components/release/version-badge.tsx'
import { markColor } from '../../components/release/version-palette.ts'
import { Quiet } from '../../components/text/words.tsx'
import { axisOf, ChartPanel } from '../../fleet/chart-panel.tsx'
import { referenceLines } from '../../fleet/chart-parts.tsx'
import { numberMarks } from '../../fleet/numbered-marks.ts'
import { stepWords } from '../../fleet/strings.ts'
import type { ReleaseDetail } from '../detail.ts'
import { rolloutBySteps, withExpectation } from './expectation.ts'
import { HistoryList } from './history-list.tsx'
import { text } from './strings.ts'

/**
 * What happened to a release on one axis of time, the last 30 days: its rollout, the devices on it and on the release before it,
 * those that failed, and what was done to it.
 */
export function TimelinePanel({ detail }: { readonly detail: ReleaseDetail }) {
  const { app, channel, version } = detail.release
  const place = { app, channel, version }
  const dashboard = useQuery(server.fleet.dashboard.queryOptions({ app, channel, range: '30d' }))
  const previous = useQuery(server.releases.previous.queryOptions(place))
  const failures = useQuery(server.releases.failures.queryOptions(place))
  const plan = useQuery(server.plans.get.queryOptions(place))
  const isRunning = plan.data?.plan?.status === 'running'
  const forecast = useQuery(
    server.plans.forecast.queryOptions(place, { enabled: isRunning, retry: false }),
  )
  return (
    <Loaded query={dashboard}>
      {(data) => (
        <Timeline
          data={data}
          detail={detail}
          previous={previous.data ?? null}
          failures={failures.data ?? []}
          forecast={isRunning ? forecast.data : undefined}
        />
      )}
    </Loaded>
  )
}

/** Pixels of the chart. */
const HEIGHT = 240

interface Props {
  readonly data: Dashboard
  readonly detail: ReleaseDetail
  /** The version that the channel served before. */
  readonly previous: string | null
  readonly failures: readonly { readonly at: string; readonly failed: number }[]
  /** Of a plan that is running. */
  readonly forecast: PlanForecast | undefined
}

function Timeline({ data, detail, previous, failures, forecast }: Props) {
  const { release, history } = detail
  const { app, version } = release
  const { unit, steps, adoption } = data
  const devicesOn = (of: string | null) =>
    adoption.bands.find((band) => band.version !== null && band.version === of)?.devices
  const own = devicesOn(version)
  const marks = useMemo(() => numberMarks({ steps, marks: history.toReversed() }), [steps, history])
  const numberOf = new Map(marks.list.map(({ mark, number }) => [mark.id, number]))
  const changes = data.marks.filter((mark) => mark.version === version)
  const rollout = rolloutBySteps(steps, changes, release)
  const before = devicesOn(previous)
  const failed = new Map(failures.map((day) => [day.at, day.failed]))
  const numbers = steps.map((at, step) => ({
    at,
    devices: own?.[step] ?? 0,
    total: adoption.total[step] ?? 0,
  }))
  const rollouts = changes.flatMap(({ at, rolloutPct }) =>
    rolloutPct === null ? [] : [{ at, rolloutPct }],
  )
  const curve =
    forecast === undefined
      ? numbers.map((day) => ({ ...day, expected: null }))
      : withExpectation(numbers, rollouts, forecast)
  const today = curve[steps.length - 1]
  const colorOf = useVersionColors(app)
  const hasFailures = failures.some((day) => day.failed > 0)
  return (
    <ChartPanel
      title={text.timeline}
      summary={summaryOf(numbers, own !== undefined, adoption.otherVersions)}
      table={{
        caption: text.adoptionCaption,
        columns: [
          ...[text.day, text.rolloutColumn, text.devices, text.failed],
          ...(previous === null ? [] : [text.previous(previous)]),
          text.allDevices,
        ],
        rows: numbers
          .map(({ at, devices, total }, step) => ({
            name: stepWords(unit, at),
            numbers: [
              ...[rollout[step] ?? 0, devices, failed.get(at) ?? 0],
              ...(previous === null ? [] : [before?.[step] ?? 0]),
              total,
            ],
          }))
          .toReversed(),
      }}
      height={HEIGHT}
      chart={
        <CompositeChart
          h={HEIGHT}
          curveType="linear"
          data={curve.map((day, step) => ({
            ...day,
            before: day.devices === null ? null : (before?.[step] ?? null),
            failed: failed.get(day.at) ?? null,
            rollout: rollout[step] ?? null,
          }))}
          dataKey="at"
          series={[
            {
              ...{ name: 'devices', type: 'area' as const, label: version },
              color: markColor(colorOf(version)),
            },
            ...(before === undefined || previous === null
              ? []
              : [{ ...BEFORE, label: text.previous(previous) }]),
            ...(hasFailures ? [FAILED] : []),
            ...(forecast === undefined ? [] : [EXPECTED]),
            ROLLOUT,
          ]}
          withDots={false}
          withLegend
          legendProps={{ verticalAlign: 'bottom' }}
          connectNulls={false}
          strokeWidth={2}
          areaProps={{ isAnimationActive: false, fillOpacity: 0.6 }}
          lineProps={({ name }) => ({
            isAnimationActive: false,
            type: name === 'before' || name === 'failed' ? 'linear' : 'stepAfter',
          })}
          composedChartProps={{ accessibilityLayer: false, margin: { top: 16, right: 8 } }}
          xAxisProps={axisOf({ unit, steps: curve.map(({ at }) => at) })}
          yAxisProps={{ width: 56, allowDecimals: false }}
          withRightYAxis
          rightYAxisProps={{
            ...{ width: 48, domain: [0, 100], ticks: [0, 25, 50, 75, 100] },
            // A chart passes more than the number.
            tickFormatter: (pct: number) => formatPercent(pct),
          }}
          valueFormatter={formatCount}
          tooltipProps={{
            labelFormatter: (at) => (typeof at === 'string' ? stepWords(unit, at) : ''),
          }}
          referenceLines={referenceLines(marks.lines)}
        />
      }
    >
      {own === undefined && adoption.otherVersions > 0 && <Quiet>{text.noCurve}</Quiet>}
      {today?.expected != null && (
        <Quiet mt="xs">{text.expectedHint(today.expected, today.devices ?? 0)}</Quiet>
      )}
      <HistoryList history={history} numberOf={numberOf} />
    </ChartPanel>
  )
}

const EXPECTED = {
  name: 'expected',
  type: 'line',
  label: text.expected,
  strokeDasharray: '6 4',
  color: 'var(--mantine-color-text)',
} as const

const BEFORE = {
  name: 'before',
  type: 'line',
  strokeDasharray: '2 3',
  color: 'var(--tidegate-quiet)',
} as const

const FAILED = {
  name: 'failed',
  type: 'line',
  label: text.failed,
  color: 'var(--tidegate-bad)',
} as const

const ROLLOUT = {
  name: 'rollout',
  type: 'line',
  label: text.rolloutColumn,
  yAxisId: 'right',
  color: 'var(--tidegate-accent)',
} as const

function summaryOf(
  numbers: readonly { readonly devices: number; readonly total: number }[],
  isKnown: boolean,
  others: number,
): string {
  if (!isKnown) return others > 0 ? text.adoptionUnknown : text.noCheckIns
  const peak = Math.max(...numbers.map(({ devices }) => devices))
  const today = numbers.at(-1)
  return peak === 0
    ? text.noCheckIns
    : text.adoptionSummary(peak, today?.devices ?? 0, today?.total ?? 0)
}
