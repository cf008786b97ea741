import { Text } from '@mantine/core'
import { IconShieldCheck, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReleaseProof } from '../../../shared/proof.ts'
import { useAccess } from '../../bridge/access.ts'
import { server } from '../../bridge/clients.ts'
import { ErrorNotice } from '../../components/change/error-notice.tsx'
import { Panel } from '../../components/panel.tsx'
import { SmallButton } from '../../components/small-button.tsx'
import { Quiet } from '../../components/text/quiet.tsx'
import type { ReleaseDetail } from '../detail.ts'
import { ArtifactsTable } from './artifacts-table.tsx'
import { text } from './strings.ts'
import { useProof } from './use-proof.ts'

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
  const mayProve = useAccess().may('release_manager', release.app) && !archived
  return (
    <Panel
      title={text.artifacts}
      aside={release.documents && <Quiet>{text.signedDocuments(release.documents)}</Quiet>}
      flush
      actions={
        mayProve ? (
          <ProofActions proof={proof} isPending={isPending} onStart={start} onCancel={cancel} />
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

interface ProofActionsProps {
  readonly proof: ReleaseProof | undefined
  readonly isPending: boolean
  readonly onStart: () => void
  readonly onCancel: () => void
}

/** The button that begins to prove the artifacts of a release, or ends it. */
function ProofActions({ proof, isPending, onStart, onCancel }: ProofActionsProps) {
  const isRunning = proof?.state === 'running'
  const Glyph = isRunning ? IconX : IconShieldCheck
  return (
    <SmallButton
      disabled={proof === undefined}
      loading={isPending}
      icon={Glyph}
      onClick={isRunning ? onCancel : onStart}
    >
      {isRunning ? text.proof.cancel : text.proof.start}
    </SmallButton>
  )
}
