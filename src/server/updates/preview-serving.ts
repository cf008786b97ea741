import type { PreviewEvent, ServingChangeInput } from '../../shared/console/releases.ts'
import { type Catalog, unknownRelease } from '../catalog/catalog.ts'
import { refuseInvalidRanges, servingAfter } from '../catalog/serving.ts'
import type { CatalogChannel } from '../catalog/snapshot.ts'
import type { ReleaseRecord } from '../catalog/store.ts'
import type { ReleaseFacts } from '../decision/channel.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { PreviewPlan } from './preview-tally.ts'
import { findActiveChannel, type Principal } from './principal.ts'

/** Too many previews wait to be counted. */
export class PreviewsBusy extends Error {
  override readonly name = 'PreviewsBusy'
}

/**
 * Counts what a plan does to each device, on a thread of its own that ends when `signal` is aborted: progress
 * a few times a second, then the result. `plan` is called when it is this preview's turn. Throws
 * `PreviewsBusy` if too many wait for theirs.
 */
export type CountPreview = (
  plan: () => PreviewPlan,
  signal: AbortSignal | undefined,
) => AsyncGenerator<PreviewEvent, void>

export interface PreviewParts {
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
  { catalog, fleet, countPreview }: PreviewParts,
  principal: Principal,
  { app, channel: name, version, ...change }: ServingChangeInput,
  signal: AbortSignal | undefined,
): AsyncGenerator<PreviewEvent, void> {
  const place = { app, channel: name }
  const find = async () =>
    findActiveChannel(await catalog.refresh(), principal, place, 'release_manager')
  await find()
  // What is scanned is committed.
  await fleet.settled()
  const channel = await find()
  const changed = changedRelease(channel, version, change)
  yield* countPreview(() => planOf(fleet, channel, changed), signal)
}

function changedRelease(
  channel: CatalogChannel,
  version: string,
  change: Omit<ServingChangeInput, 'app' | 'channel' | 'version'>,
): ReleaseRecord {
  if (change.targets !== undefined) refuseInvalidRanges(change.targets)
  const known = channel.compiled.releases.find(({ facts }) => facts.version === version)
  if (known === undefined) throw unknownRelease(channel, version)
  return { ...known.facts, ...servingAfter(known.facts, change) }
}

function planOf(
  fleet: Fleet,
  { record, compiled }: CatalogChannel,
  changed: ReleaseRecord,
): PreviewPlan {
  const releases = compiled.releases.map(({ facts }) => withoutNotes(facts))
  const { policy, key } = record
  return { policy, releases, changed: withoutNotes(changed), scan: fleet.scan({ channelKey: key }) }
}

function withoutNotes(facts: ReleaseFacts): ReleaseFacts {
  return { ...facts, notes: '' }
}
