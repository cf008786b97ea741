import type { Dashboard } from '../../shared/console/fleet.ts'
import { formatCount, formatCounted, formatShare } from '../../shared/wording/format.ts'
import bar from '../components/bar.module.css'
import { formatUtcDay } from '../components/time.ts'
import { ChartPanel } from './chart-panel.tsx'
import classes from './charts.module.css'
import { platformWords } from './strings.ts'

/** Bars that are drawn; the table has every platform. */
const BARS = 8

/** Devices by platform, most first. */
export function PlatformsPanel({ platforms }: Pick<Dashboard, 'platforms'>) {
  const { rows, since } = platforms
  const all = rows.reduce((total, { devices }) => total + devices, 0)
  const most = rows[0]
  const share = most && formatShare(most.devices / all)
  return (
    <ChartPanel
      title="Platforms"
      summary={`${formatCounted(all, 'device')} seen since ${formatUtcDay(since)} (UTC)${most === undefined ? '' : `, ${share} of them on ${platformWords(most)}`}.`}
      table={{
        caption: 'Devices by platform, most first',
        columns: ['Platform', 'Devices'],
        rows: rows.map((row) => ({ name: platformWords(row), numbers: [row.devices] })),
      }}
      chart={
        <div className={classes.platforms}>
          {rows.slice(0, BARS).map((row) => (
            <div key={`${row.platform} ${row.arch}`} className={classes.platform}>
              <span>{platformWords(row)}</span>
              <span className={bar.track}>
                <span
                  className={bar.fill}
                  style={{ width: `${(row.devices / (most?.devices ?? 1)) * 100}%` }}
                />
              </span>
              <span className={classes.devices}>{formatCount(row.devices)}</span>
            </div>
          ))}
        </div>
      }
    />
  )
}
