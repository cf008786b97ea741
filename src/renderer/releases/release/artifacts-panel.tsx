import { Text } from '@mantine/core'
import { IconShieldCheck, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useAccess } from '../../bridge/access.ts'
import { server } from '../../bridge/clients.ts'
import { ErrorNotice } from '../../components/notice.tsx'
import { Panel } from '../../components/panel.tsx'
import { SmallButton } from '../../components/small-button.tsx'
import { Quiet } from '../../components/text/words.tsx'
import { ChartPanel } from '../../fleet/chart-panel.tsx'
import { PlatformBars } from '../../fleet/platform-bars.tsx'
import { text as fleetText, platformWords } from '../../fleet/strings.ts'
import type { ReleaseDetail } from '../detail.ts'
import { ArtifactsTable } from './artifacts-table.tsx'
import { useProof } from './proof-wait.tsx'
import { text } from './strings.ts'

interface Props {
  readonly detail: ReleaseDetail
  readonly isDeleted: boolean
}

/** The files of a release, and whether they are what was published. */
export function ArtifactsPanel({ detail, isDeleted }: Props) {
  const { release, archived } = detail
  if (release.artifacts.length === 0 || isDeleted) {
    return (
      <Panel title={text.artifacts} flush={release.artifacts.length > 0}>
        {release.artifacts.length === 0 ? (
          <Text c="dimmed">{text.noArtifacts}</Text>
        ) : (
          <ArtifactsTable artifacts={release.artifacts} proofs={undefined} />
        )}
      </Panel>
    )
  }
  return <ProvenArtifacts release={release} archived={archived} />
}

function ProvenArtifacts({ release, archived }: Pick<ReleaseDetail, 'release' | 'archived'>) {
  const { proof, isPending, error, start, cancel } = useProof(release)
  const { app, channel, version } = release
  const downloads = useQuery(server.releases.downloads.queryOptions({ app, channel, version }))
  const isRunning = proof?.state === 'running'
  const mayProve = useAccess().may('release_manager', release.app) && !archived
  return (
    <Panel
      title={text.artifacts}
      aside={release.documents && <Quiet>{text.signedDocuments(release.documents)}</Quiet>}
      flush
      actions={
        mayProve ? (
          <SmallButton
            disabled={proof === undefined}
            loading={isPending}
            icon={isRunning ? IconX : IconShieldCheck}
            onClick={isRunning ? cancel : start}
          >
            {isRunning ? text.proof.cancel : text.proof.start}
          </SmallButton>
        ) : undefined
      }
    >
      <ErrorNotice error={error} />
      <ArtifactsTable
        artifacts={release.artifacts}
        proofs={proof?.artifacts}
        downloads={downloads.data}
      />
    </Panel>
  )
}

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
