import { signedVersionOf } from '../../../shared/artifacts/tauri-signature.ts'
import { artifactKey } from '../../../shared/devices/aliases.ts'
import type { Artifact, PublishBody } from '../../../shared/releases/release.ts'
import {
  type Approval,
  refuseUnapproved,
  refuseUnjudged,
  requestedByOf,
} from '../approvals/approval.ts'
import { refuseDuplicate } from '../apps.ts'
import { type Actor, audit } from '../audit-log.ts'
import type { Catalog } from '../catalog.ts'
import { Refusal } from '../errors.ts'
import { setPlanIn } from '../plans/plans.ts'
import type { ReleaseRecord } from '../records.ts'
import type { CatalogChannel } from '../snapshot.ts'
import type { CatalogWrites } from '../store.ts'
import { storedChannel } from '../stored.ts'
import { verifiedDocuments } from './documents.ts'
import { refuseInvalidRanges } from './serving.ts'

/** What a release is published with, on a channel that is known. */
export type PublishContent = Omit<PublishBody, 'app' | 'channel'>

export interface PublishTask {
  readonly actor: Actor
  readonly channel: CatalogChannel
  readonly content: PublishContent
  readonly approval: Approval
}

/**
 * Publishes a release: immutable from then on, not offered yet. Its status is `published`, or `paused` until it is
 * proven where the channel requires that. With a plan it is published at 0%, and the first step of the plan is applied in
 * the same transaction if it is due. A draft of the version is removed.
 * Throws `unknown` (app, channel), `invalid` (a range in the targets, two artifacts for one
 * platform, arch and kind, a rollout besides a plan, a ring that the targets leave out), `duplicate` (the version exists
 * on the channel), what `verifiedDocuments` throws, and `forbidden` (the channel requires approval, and there is none), and what the guard of artifacts
 * throws.
 */
export async function publishRelease(
  catalog: Catalog,
  actor: Actor,
  channel: CatalogChannel,
  content: PublishContent,
  approval: Approval = null,
): Promise<ReleaseRecord> {
  refuseMalformed(channel, content)
  return await catalog.change((tx) => publishIn(tx, catalog, { actor, channel, content, approval }))
}

/** Does the same as a part of a transaction. */
export async function publishIn(
  tx: CatalogWrites,
  catalog: Pick<Catalog, 'now' | 'newId' | 'refuseArtifacts'>,
  { actor, channel, content, approval }: PublishTask,
): Promise<ReleaseRecord> {
  const { app, record } = channel
  const { plan, ...release } = content
  const { version, targets, artifacts } = release
  const rolloutPct = plan === undefined ? release.rolloutPct : 0
  const subject = { app: app.ref, channel: record.name, version }
  const stored = await storedChannel(tx, channel)
  const after = { status: 'published', rolloutPct, targets } as const
  // A version that exists is refused as such: nobody needs to approve it.
  if ((await tx.release(record.key, version)) === undefined) {
    const reached = plan === undefined ? after : { ...after, rolloutPct: 100 }
    refuseUnapproved(stored, subject, { before: null, after: reached }, approval)
    refuseUnjudged(channel, stored, null, reached)
  }
  await catalog.refuseArtifacts(artifacts)
  const documents = verifiedDocuments(channel, content)
  const awaitsProof = stored.policy.proving === 'required' && artifacts.length > 0
  const status = awaitsProof ? 'paused' : 'published'
  const now = catalog.now()
  const at = new Date(now).toISOString()
  const published = await refuseDuplicate({ code: 'release_exists', ...subject }, () =>
    tx.insertRelease({
      ...release,
      ...(documents.length === 0 ? {} : { documents }),
      rolloutPct,
      id: catalog.newId(),
      appKey: app.key,
      channelKey: record.key,
      status,
      awaitsProof,
      createdAt: at,
    }),
  )
  // No draft of a version that exists can be published.
  const draft = (await tx.removeDraft(record.key, version)) ? { draft: true } : {}
  const state = {
    ...after,
    status,
    ...(awaitsProof ? { awaitsProof } : {}),
    artifacts: artifacts.length,
    ...(documents.length === 0 ? {} : { documents: documents.map(({ name }) => name) }),
    ...draft,
    ...requestedByOf(approval),
  }
  await audit(tx, at, actor, 'release.published', subject, null, state)
  if (plan === undefined) return published
  const planned = await setPlanIn(tx, now, { actor, channel, version, plan, approval })
  return planned.release
}

/**
 * Refuses what no channel would publish. Throws `invalid`: a range in the targets, two artifacts of a kind, a signature
 * for another version, a rollout besides a plan, a document that `verifiedDocuments` refuses.
 */
export function refuseMalformed(channel: CatalogChannel, content: PublishContent): void {
  const { version, targets, artifacts, rolloutPct, plan } = content
  refuseRolloutOfPlan({ rolloutPct, plan })
  refuseInvalidRanges(targets)
  refuseTwins(artifacts)
  refuseOtherSigned(version, artifacts)
  verifiedDocuments(channel, content)
}

/** Refuses a signature whose trusted comment names another version than that of the release. Throws `invalid`. */
export function refuseOtherSigned(version: string, artifacts: readonly Artifact[]): void {
  for (const [index, { signature }] of artifacts.entries()) {
    const signed = signedVersionOf(signature)
    if (signed === undefined || signed === version) continue
    const path = ['artifacts', String(index), 'signature']
    throw new Refusal({ code: 'signed_for_other_version', path, signed, version })
  }
}

/** Refuses a rollout besides a plan. 100 is what is meant by a body that leaves it out. Throws `invalid`. */
export function refuseRolloutOfPlan({
  rolloutPct,
  plan,
}: Pick<PublishContent, 'rolloutPct' | 'plan'>): void {
  if (plan === undefined || rolloutPct === 0 || rolloutPct === 100) return
  throw new Refusal({ code: 'plan_with_rollout', path: ['rolloutPct'] })
}

/** Refuses two artifacts for one platform, arch and kind. Throws `invalid`. */
export function refuseTwins(artifacts: readonly Artifact[]): void {
  const seen = new Set<string>()
  for (const [index, { platform, arch, kind }] of artifacts.entries()) {
    const key = artifactKey(platform, arch, kind)
    if (seen.has(key)) {
      const path = ['artifacts', String(index)]
      throw new Refusal({ code: 'artifact_repeated', path, platform, arch, kind })
    }
    seen.add(key)
  }
}
