import { Text } from '@mantine/core'
import { IconShieldCheck, IconShieldQuestion, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Release } from '../../../shared/releases/release.ts'
import { useAccess } from '../../bridge/access.ts'
import { server, serverClient } from '../../bridge/clients.ts'
import { ErrorNotice, Notice, Panel, SmallButton } from '../../components/blocks.tsx'
import { useChange } from '../../components/change/use-change.ts'
import { ChangeDialog } from '../../components/dialog/dialog-form.tsx'
import { Quiet } from '../../components/text/words.tsx'
import { ChartPanel } from '../../fleet/chart-panel.tsx'
import { PlatformBars } from '../../fleet/platform-bars.tsx'
import { text as fleetText, platformWords } from '../../fleet/strings.ts'
import type { ReleaseDetail } from '../detail.ts'
import { ArtifactsTable } from './artifacts-table.tsx'
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

/** Says that a release is paused until it is proven, or that it cannot be, and offers to keep it paused. */
export function ProofWait({ detail }: { readonly detail: ReleaseDetail }) {
  const { release, lastChange: seenChange } = detail
  const { app, channel, version } = release
  const { proof } = useProof(release)
  const failed = proof?.artifacts.filter(({ state }) => state === 'failed').length ?? 0
  const [asked, setAsked] = useState(false)
  const mayServe = useAccess().may('release_manager', app) && !detail.archived
  return (
    <Notice
      icon={IconShieldQuestion}
      mb="md"
      title={text.proof.waitTitle}
      action={mayServe && { name: text.proof.keep, onClick: () => setAsked(true) }}
    >
      <Text size="sm">
        {failed > 0 ? text.proof.waitFailed(failed, release.artifacts.length) : text.proof.wait}
      </Text>
      <ChangeDialog
        opened={asked}
        destructive={false}
        title={text.proof.keepTitle(version)}
        action={text.proof.keep}
        send={() =>
          serverClient.releases.changeServing.mutate({
            ...{ app, channel, version, status: 'paused', seenChange },
          })
        }
        done={text.proof.kept(version)}
        failed={text.proof.notKept(version)}
        onClose={() => setAsked(false)}
      >
        {text.proof.keepEffect}
      </ChangeDialog>
    </Notice>
  )
}

/** Milliseconds between two looks while artifacts are being proven. */
const LOOK = 1_000

type Place = Pick<Release, 'app' | 'channel' | 'version'>

/** Where the proof of a release stands, and the steps that begin and end it. */
export function useProof({ app, channel, version }: Place) {
  const place = { app, channel, version }
  const known = useQuery(
    server.releases.proof.queryOptions(place, {
      refetchInterval: ({ state }) => (state.data?.state === 'running' ? LOOK : false),
    }),
  )
  const start = useChange(serverClient.releases.prove.mutate, {
    failed: text.proof.notStarted(version),
  })
  const cancel = useChange(serverClient.releases.cancelProof.mutate, {
    failed: text.proof.notCanceled(version),
  })
  return {
    proof: known.data,
    isPending: start.isPending || cancel.isPending,
    error: start.error ?? cancel.error ?? known.error,
    start: () => start.send(place),
    cancel: () => cancel.send(place),
  }
}
