import { VisuallyHidden } from '@mantine/core'
import { Link } from 'react-router'
import type { Dashboard } from '../../shared/console/fleet.ts'
import { OTHER } from '../../shared/names.ts'
import bar from '../components/bar.module.css'
import { paths } from '../paths.ts'
import { ChartPanel } from './chart-panel.tsx'
import classes from './charts.module.css'
import { devicesOf, type Scope } from './scope.ts'
import { platformWords, text } from './strings.ts'

/** Bars that are drawn; the table has every platform. */
const BARS = 8

type Row = Dashboard['platforms']['rows'][number]

interface Props {
  readonly scope: Scope
  readonly platforms: Dashboard['platforms']
}

/** Devices by platform, most common first; each leads to its devices. */
export function PlatformsPanel({ scope, platforms: { rows } }: Props) {
  const all = rows.reduce((total, { devices }) => total + devices, 0)
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
      <ul className={classes.platforms} aria-label={text.platforms}>
        {rows.slice(0, BARS).map((row) => (
          <li key={`${row.platform} ${row.arch}`}>
            <PlatformBar scope={scope} row={row} all={all} most={most?.devices ?? 1} />
          </li>
        ))}
        {rows.length > BARS && (
          <li className={classes.more}>{text.morePlatforms(rows.length - BARS)}</li>
        )}
      </ul>
    </ChartPanel>
  )
}

interface BarProps {
  readonly scope: Scope
  readonly row: Row
  readonly all: number
  readonly most: number
}

function PlatformBar({ scope, row, all, most }: BarProps) {
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
      <span className={classes.devices}>{text.amount(devices, all)}</span>
    </>
  )
  // The list of devices has no filter for what is unknown or counted together.
  if ([platform, arch].some((part) => part === '' || part === OTHER)) {
    return <span className={classes.platform}>{content}</span>
  }
  return (
    <Link className={classes.platform} to={paths.devices({ ...devicesOf(scope), platform, arch })}>
      {content}
    </Link>
  )
}
