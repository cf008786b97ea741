import { Text } from '@mantine/core'
import { Panel } from '../../components/panel.tsx'
import { ChartPanel } from '../../fleet/chart-panel.tsx'
import { PlatformBars } from '../../fleet/platform-bars.tsx'
import { text as fleetText, platformWords } from '../../fleet/strings.ts'
import type { ReleaseDetail } from '../detail.ts'
import { text } from './strings.ts'

/** Shows the known devices on a release by platform and architecture; each count leads to its devices. */
export function PlatformsPanel({ detail }: { readonly detail: ReleaseDetail }) {
  const { release, devices, platforms } = detail
  const { app, channel, version } = release
  const [most] = platforms
  if (most === undefined) {
    return (
      <Panel title={text.platforms}>
        <Text c="dimmed">{text.noPlatforms}</Text>
      </Panel>
    )
  }
  const common = fleetText.mostCommonPlatform(platformWords(most), most.devices / devices)
  return (
    <ChartPanel
      title={text.platforms}
      summary={`${text.platformsSummary(devices)} ${common}`}
      table={{
        caption: fleetText.platformsTable,
        columns: [fleetText.platform, fleetText.devices],
        rows: platforms.map((row) => ({ name: platformWords(row), numbers: [row.devices] })),
      }}
    >
      <PlatformBars label={text.platforms} rows={platforms} of={{ app, channel, version }} />
    </ChartPanel>
  )
}
