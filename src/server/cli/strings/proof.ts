import { artifactTarget } from '../../../shared/artifacts/target.ts'
import type { ArtifactProof, ArtifactProofState } from '../../../shared/proof.ts'
import {
  formatCounted,
  formatDuration,
  formatPercent,
  formatSize,
} from '../../../shared/wording/format.ts'
import { proofFailureSentence, SIGNATURE_FINDINGS } from '../../../shared/wording/proof.ts'

const STATES: Readonly<Record<ArtifactProofState, string>> = {
  unproven: 'not proven',
  queued: 'queued',
  running: 'running',
  proven: 'proven',
  failed: 'failed',
}

/** Texts of `release prove`. */
export const text = {
  description: 'Download the artifacts of a release and compare them with what was published',
  timeout: 'Time after which to give up, such as 90s, 30m, 2h or 1d (default: 2h)',
  headings: ['PLATFORM', 'ARCH', 'KIND', 'STATE', 'CHECKED', 'DETAILS'],
  empty: 'This release has no artifacts.',
  state: (state: ArtifactProofState) => STATES[state],
  details: ({ state, failure, signature }: ArtifactProof) => {
    if (state === 'failed' && failure !== null) return proofFailureSentence(failure)
    return state === 'proven' && signature !== null ? SIGNATURE_FINDINGS[signature] : null
  },
  progress: (artifact: ArtifactProof) => {
    const { read = 0, total = 0 } = artifact.progress ?? {}
    const share =
      total === 0 ? '' : ` of ${formatSize(total)} (${formatPercent((read / total) * 100)})`
    return `${artifactTarget(artifact)}: ${formatSize(read)}${share}`
  },
  ended: (proof: ArtifactProof) => `${artifactTarget(proof)}: ${STATES[proof.state]}`,
  failed: (failed: number, artifacts: number, version: string) =>
    `${failed} of ${formatCounted(artifacts, 'artifact')} of ${version} not proven`,
  timedOut: (version: string, seconds: number) =>
    `${version} was not proven within ${formatDuration(seconds, 'second')}`,
  resumed: (version: string) => `${version} was paused until proven, and is published now.`,
} as const
