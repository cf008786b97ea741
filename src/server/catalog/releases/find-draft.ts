import type { PublishDraftBody } from '../../../shared/releases/draft.ts'
import type { Actor } from '../audit-log.ts'
import type { Catalog } from '../catalog.ts'
import { Refusal } from '../errors.ts'
import type { DraftRecord } from '../records.ts'
import type { CatalogChannel } from '../snapshot.ts'
import type { CatalogReads } from '../store.ts'
import { storedChannel } from '../stored.ts'
import { type DraftContent, missingArtifacts } from './draft-content.ts'

export interface DraftTask {
  readonly actor: Actor
  /** The person or key that makes what is new. */
  readonly owner: string
  readonly channel: CatalogChannel
  readonly version: string
}

/** Returns whether the time of a draft is up, also if it was not removed yet. */
export function isExpired({ expiresAt }: Pick<DraftRecord, 'expiresAt'>, now: number): boolean {
  return now >= Date.parse(expiresAt)
}

/** The draft as it is stored now; undefined if there is none, or its time is up. Throws `unknown` (app, channel). */
export async function openDraft(
  tx: CatalogReads,
  catalog: Pick<Catalog, 'now'>,
  { channel, version }: DraftTask,
): Promise<DraftRecord | undefined> {
  await storedChannel(tx, channel)
  const draft = await tx.draft(channel.record.key, version)
  return draft === undefined || isExpired(draft, catalog.now()) ? undefined : draft
}

/** The same, but throws `unknown` if there is none. */
export async function requireDraft(
  tx: CatalogReads,
  catalog: Pick<Catalog, 'now'>,
  task: DraftTask,
): Promise<DraftRecord> {
  const draft = await openDraft(tx, catalog, task)
  if (draft !== undefined) return draft
  throw new Refusal({ code: 'unknown_draft', ...subjectOf(task) })
}

/** Throws `release_exists` if the version of a draft is published. */
export async function refusePublished(tx: CatalogReads, task: DraftTask): Promise<void> {
  if ((await tx.release(task.channel.record.key, task.version)) === undefined) return
  throw new Refusal({ code: 'release_exists', ...subjectOf(task) })
}

/** Returns which release a draft is for, as refusals and the audit log name it. */
export function subjectOf({ channel: { app, record }, version }: DraftTask) {
  return { app: app.ref, channel: record.name, version }
}

/** Throws `draft_changed` if a draft has another revision than the caller has seen; null for none. */
export function refuseOther(
  task: DraftTask,
  known: DraftRecord | undefined,
  seen: string | null,
): void {
  if ((known?.revision ?? null) === seen) return
  throw new Refusal({ code: 'draft_changed', ...subjectOf(task) })
}

/** Throws `draft_incomplete` with the artifacts that are expected and missing. */
export function refuseIncomplete(
  artifacts: DraftContent['artifacts'],
  expected: PublishDraftBody['expect'],
): void {
  const missing = missingArtifacts(artifacts, expected)
  if (missing.length > 0) throw new Refusal({ code: 'draft_incomplete', path: ['expect'], missing })
}
