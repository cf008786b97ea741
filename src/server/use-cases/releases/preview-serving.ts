import type { PreviewEvent } from '../../../shared/console/releases/preview.ts'
import type {
  PublishPreviewInput,
  ServingChangeInput,
} from '../../../shared/console/releases/releases.ts'
import { allSteps } from '../../../shared/plans/plan-steps.ts'
import type { RequestedChange } from '../../../shared/releases/change-request.ts'
import { type Catalog, releaseOn, requireRelease } from '../../catalog/catalog.ts'
import { Refusal } from '../../catalog/errors.ts'
import { fitPlan } from '../../catalog/plans/plan-checks.ts'
import { refuseMalformed } from '../../catalog/releases/publish.ts'
import { changedParts, refuseInvalidRanges, servingAfter } from '../../catalog/releases/serving.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import type { ReleaseFacts } from '../../rules/decision/channel.ts'
import { stepServing } from '../../rules/plans/step-serving.ts'
import type { HostingParts } from '../files/host-files.ts'
import { findActiveChannel, type Principal, whoIs } from '../principal.ts'
import { NO_PARTS, type PartialDownloads, partialDownloads, sizeOf } from './partial-downloads.ts'
import type { PreviewPlan } from './preview-tally.ts'

/** Too many previews of one person or key wait to be counted. */
export class PreviewsBusy extends Error {
  override readonly name = 'PreviewsBusy'
}

/**
 * Counts what a plan does to each device, on a thread of its own that ends when `signal` is aborted: progress
 * a few times a second, then the result. `plan` is called when it is this preview's turn; the turns go around among
 * those who ask. Throws `PreviewsBusy` if too many of `asker` wait for theirs.
 */
export type CountPreview = (
  asker: string,
  plan: () => PreviewPlan | Promise<PreviewPlan>,
  signal: AbortSignal | undefined,
) => AsyncGenerator<PreviewEvent, void>

export interface PreviewParts extends Pick<HostingParts, 'hosting'> {
  readonly catalog: Catalog
  readonly fleet: Fleet
  readonly countPreview: CountPreview
}

/**
 * Yields what a serving change would do to the devices that are known now: progress a few times a second,
 * then the result. Ends early when `signal` is aborted. Needs the role that the change needs, and throws what
 * `changeServing` would refuse it with.
 */
export async function* previewServing(
  parts: PreviewParts,
  principal: Principal,
  { app, channel: name, version, ...change }: ServingChangeInput,
  signal: AbortSignal | undefined,
): AsyncGenerator<PreviewEvent, void> {
  const place = { app, channel: name }
  const find = async () =>
    findActiveChannel(await parts.catalog.refresh(), principal, place, 'release_manager')
  const changed = { version, change: { kind: 'serving', ...change } } as const
  yield* previewChange(parts, principal, find, changed, signal)
}

/** Does the same for a release that is about to be published. Throws what `publishRelease` would refuse it with. */
export async function* previewPublish(
  parts: PreviewParts,
  principal: Principal,
  { app, channel: name, version, ...content }: PublishPreviewInput,
  signal: AbortSignal | undefined,
): AsyncGenerator<PreviewEvent, void> {
  const place = { app, channel: name }
  const find = async () =>
    findActiveChannel(await parts.catalog.refresh(), principal, place, 'release_manager')
  const change = { kind: 'publish', notes: '', ...content } as const
  yield* previewChange(parts, principal, find, { version, change }, signal)
}

export interface ChangeOfVersion {
  readonly version: string
  readonly change: RequestedChange
}

/** Does the same for any change, on the channel that `find` returns or refuses. */
export async function* previewChange(
  parts: PreviewParts,
  principal: Principal,
  find: () => Promise<CatalogChannel>,
  change: ChangeOfVersion,
  signal: AbortSignal | undefined,
): AsyncGenerator<PreviewEvent, void> {
  const { fleet, countPreview } = parts
  await find()
  // What is scanned is committed.
  await fleet.settled()
  const channel = await find()
  const changed = changedRelease(channel, change)
  const sizes = await partialDownloads(parts, channel, changed)
  yield* countPreview(whoIs(principal), () => planOf(parts, channel, changed, sizes), signal)
}

/** A release as it would be served; the artifacts are those of one that does not exist yet. */
export interface TriedRelease
  extends Pick<ReleaseFacts, 'version' | 'targets' | 'rolloutPct' | 'artifacts'> {}

/** Does the same for a release that is served in a way that no change may lead to. */
export async function* previewServed(
  parts: PreviewParts,
  principal: Principal,
  find: () => Promise<CatalogChannel>,
  { version, targets, rolloutPct, artifacts }: TriedRelease,
  signal: AbortSignal | undefined,
): AsyncGenerator<PreviewEvent, void> {
  const { fleet, countPreview } = parts
  await fleet.settled()
  const channel = await find()
  const known = releaseOn(channel, version)?.facts
  const facts = known ?? { id: '', version, createdAt: '', notes: '', artifacts }
  const served = { targets, rolloutPct, openPct: null, status: 'published' } as const
  const changed = { ...facts, ...served }
  yield* countPreview(whoIs(principal), () => planOf(parts, channel, changed, NO_PARTS), signal)
}

/** Returns the release as it would be. Throws what the change would be refused with. */
function changedRelease(
  channel: CatalogChannel,
  { version, change }: ChangeOfVersion,
): ReleaseFacts {
  if (change.kind === 'publish') return newRelease(channel, version, change)
  const { facts } = requireRelease(channel, version)
  if (change.kind === 'plan') {
    // With the rings of a plan before it, if there is one: they are not known here.
    const { last } = fitPlan(change.plan, channel, facts, undefined)
    return { ...facts, ...last, openPct: null }
  }
  if (change.targets !== undefined) refuseInvalidRanges(change.targets)
  const after = servingAfter(facts, change)
  // Whoever changes it by hand decides that no offers wait.
  const isSame = changedParts(facts, after).length === 0
  return { ...facts, ...after, openPct: isSame ? facts.openPct : null }
}

function newRelease(
  channel: CatalogChannel,
  version: string,
  {
    rolloutPct: given,
    targets,
    notes,
    artifacts,
    documents,
    plan,
  }: RequestedChange & { kind: 'publish' },
): ReleaseFacts {
  const { app, record, compiled } = channel
  if (compiled.releases.some(({ facts }) => facts.version === version)) {
    throw new Refusal({ code: 'release_exists', app: app.ref, channel: record.name, version })
  }
  const content = { version, targets, notes, artifacts, documents, plan }
  refuseMalformed(channel, { ...content, rolloutPct: given })
  // What the plan leads to.
  const served =
    plan === undefined
      ? { rolloutPct: given, targets }
      : stepServing(plan, targets, allSteps(plan).length - 1)
  // No stored release has an empty id.
  const facts = { id: '', version, status: 'published', createdAt: '', openPct: null } as const
  return { ...facts, ...served, notes, artifacts }
}

async function planOf(
  { fleet, hosting }: PreviewParts,
  { record, compiled }: CatalogChannel,
  changed: ReleaseFacts,
  parts: PartialDownloads,
): Promise<PreviewPlan> {
  const releases = compiled.releases.map(({ facts }) => withoutNotes(facts))
  const { policy, key } = record
  const scan = await fleet.scan({ channelKey: key })
  const artifacts = changed.artifacts.map((each) => ({ ...each, size: sizeOf(each, hosting) }))
  return { policy, releases, changed: { ...withoutNotes(changed), artifacts }, parts, scan }
}

/** What is counted does not depend on them, and they can be long. */
export function withoutNotes<Release extends ReleaseFacts>(release: Release): Release {
  return { ...release, notes: '' }
}
