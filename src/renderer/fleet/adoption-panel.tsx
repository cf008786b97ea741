import { AreaChart } from '@mantine/charts'
import type { Dashboard } from '../../shared/console/fleet.ts'
import { formatCount, formatCounted } from '../../shared/wording/format.ts'
import { VersionBadge } from '../components/version-badge.tsx'
import { versionHue } from '../components/version-hue.ts'
import { ChartPanel } from './chart-panel.tsx'
import classes from './charts.module.css'
import { Marks } from './marks.tsx'
import { numberMarks } from './numbered-marks.ts'
import { axisOf, bandName, stepWords, tooltipWords } from './strings.ts'

/** Devices by version over time, and what was done to rollouts meanwhile. */
export function AdoptionPanel({ data, long }: { readonly data: Dashboard; readonly long: string }) {
  const { unit, steps, adoption } = data
  const { total, bands, otherVersions } = adoption
  const marks = numberMarks(data)
  const names = bands.map(({ version }) => bandName(version, otherVersions))
  // A version has dots, which a chart would read as a path: bands go by their number.
  const points = steps.map((at, step) => ({
    at,
    ...Object.fromEntries(bands.map(({ devices }, band) => [`band${band}`, devices[step] ?? 0])),
  }))
  return (
    <ChartPanel
      title="Versions"
      summary={summaryOf(data, long)}
      table={{
        caption: `Devices that checked in, by version, each once ${unit === 'hour' ? 'an hour' : 'a UTC day'}, newest first`,
        columns: [unit === 'hour' ? 'Hour' : 'Day', 'All devices', ...names],
        rows: steps
          .map((at, step) => ({
            name: stepWords(unit, at),
            numbers: [total[step] ?? 0, ...bands.map(({ devices }) => devices[step] ?? 0)],
          }))
          .toReversed(),
      }}
      chart={
        <AreaChart
          h={256}
          type="stacked"
          curveType="linear"
          data={points}
          dataKey="at"
          series={bands.map(({ version }, band) => ({
            name: `band${band}`,
            label: names[band] ?? '',
            color: bandColour(version),
          }))}
          withDots={false}
          withGradient={false}
          fillOpacity={1}
          strokeWidth={1}
          areaProps={{ isAnimationActive: false, stroke: 'var(--tidegate-panel)' }}
          accessibilityLayer={false}
          areaChartProps={{ margin: { top: 16, right: 8 } }}
          xAxisProps={axisOf(data)}
          yAxisProps={{ width: 56, allowDecimals: false }}
          valueFormatter={formatCount}
          tooltipProps={{ labelFormatter: (at) => tooltipWords(unit, at) }}
          referenceLines={marks.lines.map(({ at, label }) => ({
            x: at,
            label,
            color: 'var(--mantine-color-text)',
            labelPosition: 'top',
            strokeDasharray: '2 3',
          }))}
        />
      }
    >
      <ul className={classes.legend} aria-label="Versions in the chart">
        {bands.map(({ version }) => (
          <li key={version ?? ''}>
            {version === null ? (
              <span className={classes.other}>
                <span className={classes.swatch} aria-hidden="true" />
                {bandName(null, otherVersions)}
              </span>
            ) : (
              <VersionBadge version={version} />
            )}
          </li>
        ))}
      </ul>
      <Marks marks={marks.list} />
    </ChartPanel>
  )
}

function summaryOf({ unit, adoption }: Dashboard, long: string): string {
  const peak = Math.max(...adoption.total)
  const last = adoption.bands
    .map(({ version, devices }) => ({ version, now: devices.at(-1) ?? 0 }))
    .reduce((most, band) => (band.now > most.now ? band : most), {
      version: null as string | null,
      now: 0,
    })
  const most = last.version === null ? '' : ` Now most of them run ${last.version}.`
  return `At most ${formatCounted(peak, 'device')} in ${unit === 'hour' ? 'an hour' : 'a day'} of ${long}.${most}`
}

/** The colour of a version's area: that of the dot in its badge. */
function bandColour(version: string | null): string {
  if (version === null) return 'light-dark(#a9b3b9, #56626a)'
  const hue = versionHue(version)
  return `light-dark(oklch(58% 0.14 ${hue}), oklch(74% 0.13 ${hue}))`
}
