import type { SignedDocument } from '../../../shared/files/signed-document.ts'
import { DRAFT_DAYS, type PublishDraftBody } from '../../../shared/releases/draft.ts'
import { type Artifact, MAX_ARTIFACTS } from '../../../shared/releases/release.ts'
import type { Approval } from '../approvals/approval.ts'
import { audit } from '../audit-log.ts'
import type { Catalog } from '../catalog.ts'
import { Refusal } from '../errors.ts'
import type { DraftRecord, ReleaseRecord } from '../records.ts'
import type { CatalogWrites } from '../store.ts'
import {
  type DraftContent,
  inLog,
  isSame,
  mergeArtifacts,
  mergeDocuments,
  requireRoom,
} from './draft-content.ts'
import {
  type DraftTask,
  openDraft,
  refuseIncomplete,
  refuseOther,
  refusePublished,
  requireDraft,
  subjectOf,
} from './find-draft.ts'
import { publishIn, refuseOtherSigned, refuseRolloutOfPlan, refuseTwins } from './publish.ts'
import { refuseInvalidRanges } from './serving.ts'

/** Milliseconds after its last change when a draft is deleted. */
const LIFETIME = DRAFT_DAYS * 86_400_000

/** What is added to a draft; what is undefined stays as it is. */
export interface DraftAddition {
  readonly notes?: string | undefined
  readonly artifacts?: readonly Artifact[] | undefined
  readonly documents?: readonly SignedDocument[] | undefined
}

/**
 * Creates a draft or adds to it, in one transaction: artifacts by platform, arch and kind, of which the last one
 * counts. Calls at the same time lose nothing. Throws `unknown` (app, channel), `duplicate` for a version that is
 * published and `invariant` for too many artifacts or drafts.
 */
export async function mergeDraft(
  catalog: Catalog,
  task: DraftTask,
  { notes, artifacts = [], documents }: DraftAddition,
): Promise<DraftRecord> {
  refuseOtherSigned(task.version, artifacts)
  return await catalog.change(async (tx) => {
    const known = await openDraft(tx, catalog, task)
    const content = {
      notes: notes ?? known?.notes ?? '',
      artifacts: mergeArtifacts(known?.artifacts ?? [], artifacts),
      documents: mergeDocuments(known?.documents, documents),
    }
    return await putDraft(tx, catalog, task, known, content)
  })
}

/** Creates a draft, or replaces it. `seen`: its revision, null for a new one. Throws as `mergeDraft`, and `invariant` if changed. */
export async function saveDraft(
  catalog: Catalog,
  task: DraftTask,
  content: DraftContent,
  seen: string | null,
): Promise<DraftRecord> {
  refuseTwins(content.artifacts)
  refuseOtherSigned(task.version, content.artifacts)
  return await catalog.change(async (tx) => {
    const known = await openDraft(tx, catalog, task)
    refuseOther(task, known, seen)
    return await putDraft(tx, catalog, task, known, content)
  })
}

/** How a draft is published: with other content if it is given. `seen` as in `saveDraft`, undefined for whatever is stored. */
export interface DraftPublication
  extends Pick<PublishDraftBody, 'rolloutPct' | 'targets' | 'plan' | 'expect'> {
  readonly content?: DraftContent | undefined
  readonly seen?: string | undefined
}

/** Publishes a draft in one transaction. Throws `unknown`, `invariant` if it changed or lacks one of `expect`, and as publishing. */
export async function publishDraft(
  catalog: Catalog,
  task: DraftTask,
  { rolloutPct, targets, plan, expect, content: edited, seen }: DraftPublication,
  approval: Approval,
): Promise<ReleaseRecord> {
  const { actor, channel, version } = task
  refuseInvalidRanges(targets)
  refuseRolloutOfPlan({ rolloutPct, plan })
  if (edited !== undefined) refuseTwins(edited.artifacts)
  return await catalog.change(async (tx) => {
    // A job that is run again hears that its release is there.
    await refusePublished(tx, task)
    const draft = await requireDraft(tx, catalog, task)
    if (seen !== undefined) refuseOther(task, draft, seen)
    const { notes, artifacts: all, documents } = edited ?? draft
    refuseOtherSigned(version, all)
    refuseIncomplete(all, expect)
    const content = { version, rolloutPct, targets, plan, notes, documents }
    const artifacts = [...all]
    const publication = { actor, channel, content: { ...content, artifacts }, approval }
    return await publishIn(tx, catalog, publication)
  })
}

/** Discards a draft, and returns what it was. Throws `unknown`. */
export async function discardDraft(catalog: Catalog, task: DraftTask): Promise<DraftRecord> {
  return await catalog.change(async (tx) => {
    const draft = await requireDraft(tx, catalog, task)
    await removeDraft(tx, catalog, task, draft, 'draft.discarded')
    return draft
  })
}

/** Removes a draft and records that, as a part of a transaction. */
export async function removeDraft(
  tx: CatalogWrites,
  catalog: Pick<Catalog, 'timestamp'>,
  task: DraftTask,
  { artifacts }: DraftRecord,
  action: 'draft.discarded' | 'draft.expired',
): Promise<void> {
  const { actor, channel, version } = task
  await tx.removeDraft(channel.record.key, version)
  const [at, before] = [catalog.timestamp(), { artifacts: artifacts.length }]
  await audit(tx, at, actor, action, subjectOf(task), before, null)
}

async function putDraft(
  tx: CatalogWrites,
  catalog: Catalog,
  task: DraftTask,
  known: DraftRecord | undefined,
  { notes, artifacts, documents = [] }: DraftContent,
): Promise<DraftRecord> {
  await refusePublished(tx, task)
  const { actor, owner, channel, version } = task
  const { app, record } = channel
  const subject = subjectOf(task)
  if (known !== undefined && isSame(known, { notes, artifacts, documents })) return known
  if (artifacts.length > MAX_ARTIFACTS) {
    throw new Refusal({ code: 'draft_full', ...subject, maximum: MAX_ARTIFACTS })
  }
  const now = catalog.now()
  const at = new Date(now).toISOString()
  if (known === undefined) await requireRoom(tx, app, at, owner)
  const draft: DraftRecord = {
    ...{ appKey: app.key, channelKey: record.key, version, notes, artifacts },
    ...(documents.length === 0 ? {} : { documents }),
    createdAt: known?.createdAt ?? at,
    updatedAt: at,
    expiresAt: new Date(now + LIFETIME).toISOString(),
    revision: catalog.newId(),
    owner: known?.owner ?? owner,
  }
  await tx.putDraft(draft)
  const action = known === undefined ? 'draft.created' : 'draft.changed'
  const before = known === undefined ? null : { artifacts: known.artifacts.length }
  await audit(tx, at, actor, action, subject, before, inLog(known, draft))
  return draft
}
