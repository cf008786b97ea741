import {
  isTransient,
  type ProofFailure,
  type SignatureFinding,
} from '../../../shared/files/proof.ts'
import { audit, SERVER } from '../audit-log.ts'
import { Refusal } from '../errors.ts'
import type { ChannelRecord, ProofRecord, ReleaseRecord } from '../records.ts'
import type { CatalogReads, CatalogWrites } from '../store.ts'

const MINUTE = 60_000
/** Milliseconds after which an artifact that is proven and served is proven again. */
const PROVE_EVERY = 24 * 60 * MINUTE
/** Milliseconds to the next proof after the first failure, the second, and so on; later ones wait as the last. */
const RETRY_AFTER = [MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE] as const
/** Failures in a row of what can pass by itself before people are notified. */
const TOLERATED = 3

/** What a proof found, and when it ended. */
export interface ProofOutcome {
  /** Of the artifact in its release, from 0. */
  readonly position: number
  /** Unix time in milliseconds. */
  readonly at: number
  readonly failure: ProofFailure | null
  /** Null for a proof that failed. */
  readonly signature: SignatureFinding | null
}

/** When proofs are due that were made against settings that hold no longer: before any was made. */
export const OUTDATED = new Date(0).toISOString()

/** Refuses to resume an unproven release where that is required; inside the transaction, with the stored channel. Throws `not_proven`. */
export async function refuseUnproven(
  tx: CatalogReads,
  { name: channel, policy }: ChannelRecord,
  { app, version }: { readonly app: string; readonly version: string },
  release: ReleaseRecord,
): Promise<void> {
  if (policy.proving !== 'required' || (await isProven(tx, release))) return
  throw new Refusal({ code: 'not_proven', app, channel, version })
}

/** Returns whether the last proof of every artifact of a release was successful. */
export async function isProven(
  reads: CatalogReads,
  { id, artifacts }: Pick<ReleaseRecord, 'id' | 'artifacts'>,
): Promise<boolean> {
  const proofs = await reads.proofs([id])
  return proofs.length === artifacts.length && proofs.every(isSuccessful)
}

/** Returns whether a proof was successful, against settings that still hold. */
export function isSuccessful({ failure, dueAt, checkedAt }: ProofRecord): boolean {
  return failure === null && dueAt >= checkedAt
}

/** Records what a proof found, inside a transaction. The audit log gets an entry when a served artifact begins or ends to fail. */
export async function recordProofIn(
  tx: CatalogWrites,
  release: ReleaseRecord,
  place: { readonly app: string; readonly channel: string },
  outcome: ProofOutcome,
): Promise<void> {
  const { position } = outcome
  const before = (await tx.proofs([release.id])).find((proof) => proof.position === position)
  const after = proofAfter(before, release, outcome)
  await tx.setProof(after)
  const wasAlarmed = (before?.alarmedAt ?? null) !== null
  if (wasAlarmed === (after.alarmedAt !== null)) return
  const { platform, arch, kind } = release.artifacts[position] ?? {}
  const subject = { ...place, version: release.version }
  const states = [before?.failure ?? null, after.failure].map(
    (failure) => failure && { platform, arch, kind, failure },
  )
  const action = after.failure === null ? 'artifact.proven' : 'artifact.failed'
  const proven = { platform, arch, kind, failure: null }
  await audit(tx, after.checkedAt, SERVER, action, subject, states[0], states[1] ?? proven)
}

function proofAfter(
  before: ProofRecord | undefined,
  release: Pick<ReleaseRecord, 'id' | 'status' | 'awaitsProof'>,
  { position, at, failure, signature }: ProofOutcome,
): ProofRecord {
  const checkedAt = new Date(at).toISOString()
  const failures = failure === null ? 0 : (before?.failures ?? 0) + 1
  const isServed = release.status === 'published' || release.awaitsProof
  const isCertain = failure !== null && (!isTransient(failure) || failures >= TOLERATED)
  const alarmedAt = before?.alarmedAt ?? (isServed && isCertain ? checkedAt : null)
  return {
    releaseId: release.id,
    position,
    checkedAt,
    provenAt: failure === null ? checkedAt : (before?.provenAt ?? null),
    failure,
    signature: failure === null ? signature : (before?.signature ?? null),
    failures,
    dueAt: new Date(at + waitAfter(failures)).toISOString(),
    alarmedAt: failure === null ? null : alarmedAt,
  }
}

function waitAfter(failures: number): number {
  if (failures === 0) return PROVE_EVERY
  return RETRY_AFTER[failures - 1] ?? RETRY_AFTER[RETRY_AFTER.length - 1] ?? PROVE_EVERY
}
