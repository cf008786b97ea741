import type { Dashboard } from '../../shared/console/fleet.ts'
import { ChartPanel } from './chart-panel.tsx'
import { devicesIn, PlatformBars } from './platform-bars.tsx'
import { devicesOf, type Scope } from './scope.ts'
import { platformWords, text } from './strings.ts'

interface Props {
  readonly scope: Scope
  readonly platforms: Dashboard['platforms']
}

/** Devices by platform, most common first; each leads to its devices. */
export function PlatformsPanel({ scope, platforms: { rows } }: Props) {
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
