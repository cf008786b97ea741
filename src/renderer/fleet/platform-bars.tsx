import { Text, VisuallyHidden } from '@mantine/core'
import { Link } from 'react-router'
import type { Dashboard, PlatformDevices } from '../../shared/console/fleet.ts'
import { OTHER } from '../../shared/devices/counting.ts'
import bar from '../components/components.module.css'
import { type DeviceFilters, paths } from '../paths.ts'
import { ChartPanel } from './chart-panel.tsx'
import classes from './charts.module.css'
import { devicesOf, type Scope } from './scope.ts'
import { platformWords, text } from './strings.ts'

/** Bars that are drawn; the table has every platform. */
const BARS = 8

interface Props {
  /** The name of the list. */
  readonly label: string
  /** Most devices first. */
  readonly rows: readonly PlatformDevices[]
  /** Who is counted: a bar leads to those of them with its platform. */
  readonly of: DeviceFilters
}

/** Devices by platform as bars; each leads to its devices. */
export function PlatformBars({ label, rows, of }: Props) {
  const all = devicesIn(rows)
  return (
    <ul className={classes.platforms} aria-label={label}>
      {rows.slice(0, BARS).map((row) => (
        <li key={`${row.platform} ${row.arch}`}>
          <PlatformBar of={of} row={row} all={all} most={rows[0]?.devices ?? 1} />
        </li>
      ))}
      {rows.length > BARS && (
        <li className={classes.more}>{text.morePlatforms(rows.length - BARS)}</li>
      )}
    </ul>
  )
}

/** Returns how many devices the rows have together. */
function devicesIn(rows: readonly PlatformDevices[]): number {
  return rows.reduce((total, { devices }) => total + devices, 0)
}

interface BarProps {
  readonly of: DeviceFilters
  readonly row: PlatformDevices
  readonly all: number
  readonly most: number
}

function PlatformBar({ of, row, all, most }: BarProps) {
  const { platform, arch, devices } = row
  const content = (
    <>
      <span className="cut" title={platformWords(row)}>
        {platformWords(row)}
        <VisuallyHidden>:</VisuallyHidden>
      </span>
      <span className={bar.track} aria-hidden="true">
        <span className={bar.fill} style={{ width: `${(devices / most) * 100}%` }} />
      </span>
      <Text span inherit ta="end">
        {text.amount(devices, all)}
      </Text>
    </>
  )
  // The list of devices has no filter for what is unknown or counted together.
  if ([platform, arch].some((part) => part === '' || part === OTHER)) {
    return <span className={classes.platform}>{content}</span>
  }
  return (
    <Link className={classes.platform} to={paths.devices({ ...of, platform, arch })}>
      {content}
    </Link>
  )
}

interface PlatformsPanelProps {
  readonly scope: Scope
  readonly platforms: Dashboard['platforms']
}

/** Devices by platform, most common first; each leads to its devices. */
export function PlatformsPanel({ scope, platforms: { rows } }: PlatformsPanelProps) {
  const all = devicesIn(rows)
  const [most] = rows
  const summary = text.platformsSummary(scope.range, all)
  return (
    <ChartPanel
      title={text.platforms}
      summary={
        most === undefined
          ? summary
          : `${summary} ${text.mostCommonPlatform(platformWords(most), most.devices / all)}`
      }
      table={{
        caption: text.platformsTable,
        columns: [text.platform, text.devices],
        rows: rows.map((row) => ({ name: platformWords(row), numbers: [row.devices] })),
      }}
    >
      <PlatformBars label={text.platforms} rows={rows} of={devicesOf(scope)} />
    </ChartPanel>
  )
}
