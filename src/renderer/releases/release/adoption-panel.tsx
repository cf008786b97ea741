import { CompositeChart } from '@mantine/charts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Dashboard } from '../../../shared/console/fleet.ts'
import type { PlanForecast } from '../../../shared/console/releases/plans.ts'
import type { Release } from '../../../shared/releases/release.ts'
import { formatCount } from '../../../shared/wording/format.ts'
import { server } from '../../bridge/clients.ts'
import { Loaded } from '../../components/loading/loading.tsx'
import { useVersionColors } from '../../components/release/version-badge.tsx'
import { markColor } from '../../components/release/version-palette.ts'
import { Quiet } from '../../components/text/quiet.tsx'
import { axisOf, ChartPanel } from '../../fleet/chart-panel.tsx'
import { Marks, referenceLines } from '../../fleet/chart-parts.tsx'
import { numberMarks } from '../../fleet/numbered-marks.ts'
import { stepWords } from '../../fleet/strings.ts'
import { type CurveDay, withExpectation } from './expectation.ts'
import { text } from './strings.ts'

/** How many devices ran a release on each of the last 30 days, and what was done to it meanwhile. */
export function AdoptionPanel({ release }: { readonly release: Release }) {
  const { app, channel, version } = release
  const dashboard = useQuery(server.fleet.dashboard.queryOptions({ app, channel, range: '30d' }))
  const plan = useQuery(server.plans.get.queryOptions({ app, channel, version }))
  const isRunning = plan.data?.plan?.status === 'running'
  const forecast = useQuery(
    server.plans.forecast.queryOptions(
      { app, channel, version },
      { enabled: isRunning, retry: false },
    ),
  )
  return (
    <Loaded query={dashboard}>
      {(data) => (
        <Curve
          data={data}
          app={app}
          version={version}
          forecast={isRunning ? forecast.data : undefined}
        />
      )}
    </Loaded>
  )
}

interface CurveProps {
  readonly data: Dashboard
  readonly app: string
  readonly version: string
  /** Of a plan that is running. */
  readonly forecast: PlanForecast | undefined
}

function Curve({ data, app, version, forecast }: CurveProps) {
  const { unit, steps, adoption } = data
  const own = adoption.bands.find((band) => band.version === version)?.devices
  const marks = useMemo(
    () => numberMarks({ steps, marks: data.marks.filter((mark) => mark.version === version) }),
    [steps, data.marks, version],
  )
  const numbers = useMemo(
    () =>
      steps.map((at, step) => ({
        at,
        devices: own?.[step] ?? 0,
        total: adoption.total[step] ?? 0,
      })),
    [steps, own, adoption.total],
  )
  const curve = useMemo((): readonly CurveDay[] => {
    if (forecast === undefined) return numbers.map((day) => ({ ...day, expected: null }))
    const rollouts = data.marks.flatMap(({ at, rolloutPct, version: changed }) =>
      changed === version && rolloutPct !== null ? [{ at, rolloutPct }] : [],
    )
    return withExpectation(numbers, rollouts, forecast)
  }, [numbers, data.marks, version, forecast])
  const today = curve[steps.length - 1]
  const colorOf = useVersionColors(app)
  return (
    <ChartPanel
      title={text.adoption}
      summary={summaryOf(numbers, own !== undefined, adoption.otherVersions)}
      table={{
        caption: text.adoptionCaption,
        columns: [text.day, text.devices, text.allDevices],
        rows: numbers
          .map(({ at, devices, total }) => ({
            name: stepWords(unit, at),
            numbers: [devices, total],
          }))
          .toReversed(),
      }}
      chart={
        own === undefined ? null : (
          <CompositeChart
            h={200}
            curveType="linear"
            data={[...curve]}
            dataKey="at"
            series={[
              {
                name: 'devices',
                type: 'area',
                label: version,
                color: markColor(colorOf(version)),
              },
              ...(forecast === undefined ? [] : [EXPECTED]),
            ]}
            withDots={false}
            connectNulls={false}
            strokeWidth={2}
            areaProps={{ isAnimationActive: false, fillOpacity: 0.6 }}
            lineProps={{ isAnimationActive: false, type: 'stepAfter' }}
            composedChartProps={{ accessibilityLayer: false, margin: { top: 16, right: 8 } }}
            xAxisProps={axisOf({ unit, steps: curve.map(({ at }) => at) })}
            yAxisProps={{ width: 56, allowDecimals: false }}
            valueFormatter={formatCount}
            tooltipProps={{
              labelFormatter: (at) => (typeof at === 'string' ? stepWords(unit, at) : ''),
            }}
            referenceLines={referenceLines(marks.lines)}
          />
        )
      }
    >
      {own === undefined && adoption.otherVersions > 0 && <Quiet>{text.noCurve}</Quiet>}
      {today?.expected != null && (
        <Quiet mt="xs">{text.expectedHint(today.expected, today.devices ?? 0)}</Quiet>
      )}
      <Marks app={app} marks={marks.list} />
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
