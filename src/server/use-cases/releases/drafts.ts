import type { DraftPreviewInput } from '../../../shared/console/releases/drafts.ts'
import type {
  Draft,
  DraftBody,
  DraftPlace,
  PublishDraftBody,
} from '../../../shared/releases/draft.ts'
import type { Release } from '../../../shared/releases/release.ts'
import { EVERY_DEVICE } from '../../../shared/releases/targets.ts'
import { Refusal } from '../../catalog/errors.ts'
import type { DraftRecord } from '../../catalog/records.ts'
import type { DraftContent } from '../../catalog/releases/draft-content.ts'
import * as drafts from '../../catalog/releases/drafts.ts'
import { type DraftTask, isExpired } from '../../catalog/releases/find-draft.ts'
import { showRelease } from '../../catalog/releases/show-release.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import { compileChannel } from '../../rules/decision/compile.ts'
import { parseVersion } from '../../rules/decision/version.ts'
import type { WithCatalog } from '../bind.ts'
import { type ExplainedDecision, explainDecision } from '../fleet/explanation.ts'
import { approvalOf, findActiveChannel, findChannel, type Principal, whoIs } from '../principal.ts'
import { listedChannels, type ReleasePage, type ReleaseQuery } from './list-releases.ts'
import { newRelease, type PreflightParts } from './preflight.ts'
import { requirePreflightOfNew } from './preflight-gate.ts'

/** A draft, with what tells whether it has changed. */
export interface ShownDraft {
  readonly draft: Draft
  /** Another one after every change. */
  readonly revision: string
}

export type DraftListing = Omit<ReleaseQuery, 'status' | 'search' | 'cursor'>

export interface DraftList extends Omit<ReleasePage, 'releases'> {
  readonly drafts: readonly ShownDraft[]
}

/** Creates a draft or adds to it (docs/api.md, "Drafts"). Needs the role `release_manager`. Throws what `mergeDraft` does. */
export async function putDraft(
  parts: WithCatalog,
  principal: Principal,
  { notes, artifacts, documents, ...place }: DraftBody,
): Promise<Draft> {
  const task = await taskOf(parts, principal, place)
  const record = await drafts.mergeDraft(parts.catalog, task, { notes, artifacts, documents })
  return showDraft(task.channel, record).draft
}

/** The whole content of a draft, and the revision that it was edited on; null for a new one. */
export interface DraftEdit extends DraftPlace {
  readonly content: DraftContent
  readonly seen: string | null
}

/** Creates a draft, or replaces its content. Needs the role `release_manager`. Throws what `saveDraft` does. */
export async function saveDraft(
  parts: WithCatalog,
  principal: Principal,
  { content, seen, ...place }: DraftEdit,
): Promise<ShownDraft> {
  const task = await taskOf(parts, principal, place)
  return showDraft(task.channel, await drafts.saveDraft(parts.catalog, task, content, seen))
}

/** How a draft is published; `content` and `seen` as in the catalog. */
export type DraftRelease = PublishDraftBody & Pick<drafts.DraftPublication, 'content' | 'seen'>

/** Publishes a draft. Needs the role `release_manager`. Throws as the catalog's `publishDraft`, and `preflight_failed` where required. */
export async function publishDraft(
  parts: PreflightParts,
  principal: Principal,
  { rolloutPct, targets, plan, expect, content, seen, ...place }: DraftRelease,
): Promise<Release> {
  const task = await taskOf(parts, principal, place)
  const publication = { rolloutPct, targets, plan, expect, content, seen }
  const approval = approvalOf(principal)
  const { channel, version } = task
  const stored = await parts.catalog.store.draft(channel.record.key, version)
  const { artifacts = [], documents } = content ?? stored ?? {}
  const release = { version, rolloutPct, targets, plan, artifacts: [...artifacts], documents }
  const isThere = stored !== undefined
  const found = isThere ? await requirePreflightOfNew(parts, principal, channel, release) : {}
  const published = await drafts.publishDraft(parts.catalog, task, publication, approval)
  return { ...showRelease(channel, published), ...found }
}

/** Discards a draft, and returns what it was. Needs the role `release_manager`. Throws `unknown`. */
export async function discardDraft(
  parts: WithCatalog,
  principal: Principal,
  place: DraftPlace,
): Promise<Draft> {
  const task = await taskOf(parts, principal, place)
  return showDraft(task.channel, await drafts.discardDraft(parts.catalog, task)).draft
}

/** Returns a draft. Needs the role `viewer`. Throws `unknown`. */
export async function getDraft(
  { catalog }: WithCatalog,
  principal: Principal,
  { version, ...place }: DraftPlace,
): Promise<ShownDraft> {
  const { channel, record } = await findDraft({ catalog }, principal, { version, ...place })
  return showDraft(channel, record)
}

/** Finds a draft for a principal who has the role `viewer`. Throws `unknown`. */
async function findDraft(
  { catalog }: WithCatalog,
  principal: Principal,
  { version, ...place }: DraftPlace,
): Promise<{ readonly channel: CatalogChannel; readonly record: DraftRecord }> {
  const channel = findChannel(await catalog.refresh(), principal, place, 'viewer')
  const record = await catalog.store.draft(channel.record.key, version)
  if (record !== undefined && !isExpired(record, catalog.now())) return { channel, record }
  const { app } = channel
  throw new Refusal({ code: 'unknown_draft', app: app.ref, channel: channel.record.name, version })
}

/** Returns a page of the visible drafts, last changed first. Needs the role `viewer` in the app that is named. Throws `unknown`. */
export async function listDrafts(
  { catalog }: WithCatalog,
  principal: Principal,
  { app, channel, page, perPage }: DraftListing,
): Promise<DraftList> {
  const channels = listedChannels(await catalog.refresh(), principal, { app, channel })
  const byKey = new Map(channels.map((each) => [each.record.key, each]))
  const found = await catalog.store.drafts({
    channelKeys: [...byKey.keys()],
    at: catalog.timestamp(),
    limit: perPage,
    offset: (page - 1) * perPage,
  })
  const shown = found.drafts.flatMap((record) => {
    const place = byKey.get(record.channelKey)
    return place === undefined ? [] : [showDraft(place, record)]
  })
  const { total } = found
  return { drafts: shown, page, pageCount: Math.ceil(total / perPage), total }
}

async function taskOf(
  { catalog }: WithCatalog,
  principal: Principal,
  { version, ...place }: DraftPlace,
): Promise<DraftTask> {
  const channel = findActiveChannel(await catalog.refresh(), principal, place, 'release_manager')
  return { actor: principal.actor, owner: whoIs(principal), channel, version }
}

function showDraft(
  { app, record: { name } }: CatalogChannel,
  {
    appKey: _app,
    channelKey: _channel,
    owner: _owner,
    revision,
    version,
    artifacts,
    ...rest
  }: DraftRecord,
): ShownDraft {
  const place = { app: app.ref, channel: name, version }
  return { draft: { ...place, ...rest, artifacts: [...artifacts] }, revision }
}

/** Decides as a device's check would were the draft out for all, and why. Needs the role `viewer`. Throws `unknown`. */
export async function previewDraft(
  { catalog }: WithCatalog,
  principal: Principal,
  { device, ...place }: DraftPreviewInput,
): Promise<ExplainedDecision> {
  const { channel, record } = await findDraft({ catalog }, principal, place)
  const { compiled } = channel
  const others = compiled.releases.map(({ facts }) => facts)
  const content = { ...record, targets: EVERY_DEVICE }
  const { version, notes, createdAt } = record
  const offered = { ...newRelease(channel, version, content, createdAt), notes }
  const preview = compileChannel(compiled.policy, [...others, offered], compiled)
  const unknown = { deviceId: null, labels: {}, manual: false }
  const facts = { ...device, version: parseVersion(device.version), ...unknown }
  return explainDecision({ ...channel, compiled: preview }, facts)
}
