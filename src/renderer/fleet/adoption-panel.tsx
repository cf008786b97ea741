import { AreaChart } from '@mantine/charts'
import { Link, useNavigate } from 'react-router'
import type { Dashboard } from '../../shared/console/fleet.ts'
import { formatCount } from '../../shared/wording/format.ts'
import { useVersionColors, VersionBadge } from '../components/release/version-badge.tsx'
import { markColor } from '../components/release/version-palette.ts'
import { paths } from '../paths.ts'
import { axisOf, ChartPanel } from './chart-panel.tsx'
import { ChartTooltip, Marks, referenceLines } from './chart-parts.tsx'
import classes from './charts.module.css'
import { numberMarks } from './numbered-marks.ts'
import { devicesOf, type Scope } from './scope.ts'
import { bandName, stepWords, text } from './strings.ts'

/** Pixels of the chart. */
const HEIGHT = 256

interface Props {
  readonly scope: Scope
  readonly data: Dashboard
}

/** Devices by version over time, and what was done to rollouts meanwhile. A version leads to its devices. */
export function AdoptionPanel({ scope, data }: Props) {
  const { unit, steps, adoption } = data
  const { total, otherVersions } = adoption
  const navigate = useNavigate()
  const colorOf = useVersionColors(scope.app)
  const marks = numberMarks(data)
  // A version has dots, which a chart would read as a path: bands go by their number.
  const bands = adoption.bands.map(({ version, devices }, index) => ({
    key: `band${index}`,
    version,
    numbers: devices,
    name: bandName(version, otherVersions),
    color: markColor(version === null ? undefined : colorOf(version)),
  }))
  const points = steps.map((at, step) => ({
    at,
    ...Object.fromEntries(bands.map(({ key, numbers }) => [key, numbers[step] ?? 0])),
  }))
  const pathOf = (version: string) => paths.devices({ ...devicesOf(scope), version })
  return (
    <ChartPanel
      title={text.versions}
      summary={summaryOf(scope, data)}
      table={{
        caption: text.versionsTable(unit),
        columns: [text.step(unit), text.allDevices, ...bands.map(({ name }) => name)],
        rows: steps
          .map((at, step) => ({
            name: stepWords(unit, at),
            numbers: [total[step] ?? 0, ...bands.map(({ numbers }) => numbers[step] ?? 0)],
          }))
          .toReversed(),
      }}
      height={HEIGHT}
      chart={
        <AreaChart
          h={HEIGHT}
          type="stacked"
          curveType="linear"
          data={points}
          dataKey="at"
          series={bands.map(({ key, name, color }) => ({ name: key, label: name, color }))}
          withDots={false}
          withGradient={false}
          fillOpacity={1}
          strokeWidth={1}
          areaProps={({ name }) => {
            const version = bands.find(({ key }) => key === name)?.version ?? null
            return {
              isAnimationActive: false,
              stroke: 'var(--tidegate-panel)',
              ...(version === null
                ? {}
                : { cursor: 'pointer', onClick: () => void navigate(pathOf(version)) }),
            }
          }}
          accessibilityLayer={false}
          areaChartProps={{ margin: { top: 16, right: 20 } }}
          xAxisProps={axisOf(data)}
          yAxisProps={{ width: 56, allowDecimals: false }}
          valueFormatter={formatCount}
          tooltipProps={{
            content: ({ label }) => (
              <ChartTooltip data={data} bands={bands} total={total} at={label} />
            ),
          }}
          referenceLines={referenceLines(marks.lines)}
        />
      }
    >
      <ul className={classes.legend} aria-label={text.versionsLegend}>
        {bands.map(({ key, version, name, color }) => (
          <li key={key}>
            {version === null ? (
              <span className={classes.other}>
                <span className={classes.swatch} style={{ background: color }} aria-hidden="true" />
                {name}
              </span>
            ) : (
              <Link
                className={classes.entry}
                to={pathOf(version)}
                aria-label={text.devicesOn(version)}
              >
                <VersionBadge app={scope.app} version={version} />
              </Link>
            )}
          </li>
        ))}
      </ul>
      <Marks app={scope.app} marks={marks.list} />
    </ChartPanel>
  )
}

function summaryOf({ range }: Scope, { unit, adoption }: Dashboard): string {
  const peak = text.versionsSummary(unit, range, Math.max(...adoption.total))
  const [most] = adoption.bands
    .filter(({ version, devices }) => version !== null && (devices.at(-1) ?? 0) > 0)
    .toSorted((a, b) => (b.devices.at(-1) ?? 0) - (a.devices.at(-1) ?? 0))
  return most?.version == null ? peak : `${peak} ${text.mostCommon(most.version)}`
}
