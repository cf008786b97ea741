import { setTimeout as delay } from 'node:timers/promises'
import type { MeasureEvent, MeasureInput } from '../../../shared/console/releases/releases.ts'
import {
  type ArtifactProof,
  type ReleaseProof,
  releaseProofState,
} from '../../../shared/files/proof.ts'
import { type Catalog, requireRelease } from '../../catalog/catalog.ts'
import { Refusal } from '../../catalog/errors.ts'
import type { ProofRecord, ReleaseRecord } from '../../catalog/records.ts'
import { isSuccessful } from '../../catalog/releases/proofs.ts'
import { recordProof } from '../../catalog/releases/record-proof.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import type { TransactOptions } from '../../catalog/store.ts'
import type { ProofProgress } from '../../outbound/proving/prove-artifact.ts'
import {
  MAX_RUNS,
  type ProofEnd,
  type Prover,
  type RunningProof,
} from '../../outbound/proving/prover.ts'
import {
  type ChannelPlace,
  findActiveApp,
  findActiveChannel,
  findChannel,
  type Principal,
} from '../principal.ts'

export interface ProvingParts {
  readonly catalog: Catalog
  readonly prover: Prover
  /** Hears of every run that could not be carried out or recorded. */
  readonly onProvingFailure: (error: unknown) => void
}

export interface ReleaseAt extends ChannelPlace {
  readonly version: string
}

/**
 * Begins to prove a release (docs/api.md, "Prove a release"): every artifact is downloaded from the allowed hosts of
 * its app and compared with what was published. A release that is being proven already is not begun again. Needs the
 * role `release_manager`. Throws `unknown`, `forbidden` and `invariant` (too many wait, or an archived app).
 */
export async function startProof(
  parts: ProvingParts,
  principal: Principal,
  place: ReleaseAt,
): Promise<ReleaseProof> {
  const { catalog, prover, onProvingFailure } = parts
  const channel = findActiveChannel(await catalog.refresh(), principal, place, 'release_manager')
  const release = requireRelease(channel, place.version).facts
  const isRunning = prover.running(release.id) !== undefined
  if (!isRunning) refuseBusy(prover, channel.record.appKey)
  proveStored(parts, channel, release).catch(onProvingFailure)
  return await proofOf(parts, release)
}

function refuseBusy(prover: Prover, appKey: number): void {
  if (prover.sizeOf(appKey) < MAX_RUNS) return
  throw new Refusal({ code: 'proofs_busy', maximum: MAX_RUNS })
}

/** Milliseconds between two events about a file that is measured. */
const REPORT = 250

/**
 * Downloads a file from the allowed hosts of an app for its size and SHA-512, which the manifest of Tauri does not name. Yields
 * how far it is a few times a second, and last what was found. Ends when `signal` is aborted. Needs the role
 * `release_manager`. Throws `unknown`, `forbidden` and `invariant` (too many wait, or an archived app).
 */
export async function* measureFile(
  { catalog, prover }: ProvingParts,
  principal: Principal,
  { app: ref, ...file }: MeasureInput,
  signal: AbortSignal | undefined,
): AsyncGenerator<MeasureEvent, void> {
  const app = findActiveApp(await catalog.refresh(), principal, ref, 'release_manager')
  const { key, proving: settings } = app.record
  refuseBusy(prover, key)
  const left = new AbortController()
  const either = signal === undefined ? left.signal : AbortSignal.any([signal, left.signal])
  let progress: ProofProgress = { read: 0, total: 0 }
  const result = prover.measure({ app: key, settings, ...file }, either, (next) => {
    progress = next
  })
  // It may reject while nobody waits for it here.
  result.catch(() => {})
  try {
    for (;;) {
      yield { type: 'progress', ...progress }
      const ended = await Promise.race([result, delay(REPORT)])
      if (ended === undefined) continue
      if (ended.failure !== null) yield { type: 'failed', failure: ended.failure }
      else yield { type: 'measured', ...ended.measured }
      return
    }
  } finally {
    left.abort()
  }
}

/** Ends the proof of a release that is under way here. Needs the role `release_manager`. Throws as `startProof` does. */
export async function cancelProof(
  parts: ProvingParts,
  principal: Principal,
  place: ReleaseAt,
): Promise<ReleaseProof> {
  const { catalog, prover } = parts
  const channel = findActiveChannel(await catalog.refresh(), principal, place, 'release_manager')
  const release = requireRelease(channel, place.version).facts
  prover.cancel(release.id)
  return await proofOf(parts, release)
}

/** Returns where the proof of a release stands. Needs the role `viewer`. Throws `unknown`. */
export async function showProof(
  parts: ProvingParts,
  principal: Principal,
  place: ReleaseAt,
): Promise<ReleaseProof> {
  const channel = findChannel(await parts.catalog.refresh(), principal, place, 'viewer')
  return await proofOf(parts, requireRelease(channel, place.version).facts)
}

/** Proves a release of the catalog, and records what is found. `writes`: of its transactions. Rejects as `Prover.start` does. */
export async function proveStored(
  { catalog, prover }: Pick<ProvingParts, 'catalog' | 'prover'>,
  channel: CatalogChannel,
  { id: releaseId, artifacts, version }: ReleaseRecord,
  writes: TransactOptions = {},
): Promise<ProofEnd> {
  const settings = channel.app.proving
  const unchecked = channel.record.policy.uncheckedSignatures
  return await prover.start({
    ...{ app: channel.record.appKey, releaseId, artifacts, settings, unchecked },
    record: async (position, result) => {
      const { failure } = result
      const signature = result.failure === null ? result.signature : null
      const outcome = { position, at: catalog.now(), failure, signature }
      await recordProof(catalog, channel, version, outcome, writes)
    },
  })
}

async function proofOf(
  { catalog, prover }: ProvingParts,
  release: ReleaseRecord,
): Promise<ReleaseProof> {
  // Read before the stored proofs, so that one that ends in between is not missed.
  const running = prover.running(release.id)
  const now = new Map(running)
  const stored = await catalog.store.proofs([release.id])
  const byPosition = new Map(stored.map((proof) => [proof.position, proof]))
  const artifacts = release.artifacts.map(({ platform, arch, kind }, position) => ({
    ...{ platform, arch, kind },
    ...standing(byPosition.get(position), now.get(position)),
  }))
  const state = releaseProofState(artifacts.map((artifact) => artifact.state))
  return { state, awaitsProof: release.awaitsProof, artifacts }
}

function standing(
  stored: ProofRecord | undefined,
  running: RunningProof | undefined,
): Omit<ArtifactProof, 'platform' | 'arch' | 'kind'> {
  const { checkedAt = null, provenAt = null, failure = null, signature = null } = stored ?? {}
  const isSuccess = stored !== undefined && isSuccessful(stored)
  const ended = isSuccess ? 'proven' : failure === null ? 'unproven' : 'failed'
  const progress =
    running?.state === 'running' ? { read: running.read, total: running.total } : null
  return { state: running?.state ?? ended, checkedAt, provenAt, failure, signature, progress }
}
