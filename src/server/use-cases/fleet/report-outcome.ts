import type { OutcomeBody } from '../../../shared/outcome.ts'
import { type Catalog, requireApp, requireChannel } from '../../catalog/catalog.ts'
import { Refusal } from '../../catalog/errors.ts'
import type { CatalogChannel, ServedRelease } from '../../catalog/snapshot.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import type { ChannelPlace } from '../principal.ts'

export interface OutcomeParts {
  readonly catalog: Catalog
  readonly fleet: Fleet
}

/** What an app reports, without a key. */
export interface DeviceOutcome extends ChannelPlace, OutcomeBody {
  readonly deviceId: string
  /** Address key of the caller, for the budgets. */
  readonly caller: string
}

/**
 * Records what an app reports of an update (docs/api.md, "Report the outcome of an update"). It counts for a known device
 * that was last offered that release; everything else is ignored without a sign of it, so that no caller learns which
 * devices exist. Throws `unknown` (app, channel).
 */
export async function reportOutcome(
  { catalog, fleet }: OutcomeParts,
  { app, channel: name, version, outcome, detail, deviceId, caller }: DeviceOutcome,
): Promise<void> {
  const channel = await findServed(catalog, app, name)
  const release = releaseOn(channel, version)
  if (release === undefined) return
  const { key: appKey } = channel.app
  const { id: releaseId, channelKey } = release.facts
  const at = catalog.now()
  fleet.recordOutcome({ appKey, deviceId, channelKey, releaseId, at, outcome, detail, caller })
}

/** Returns the release with that canonical version, whatever its status. */
export function releaseOn(
  { compiled }: CatalogChannel,
  version: string,
): ServedRelease | undefined {
  return compiled.releases.find(({ facts }) => facts.version === version)
}

/** An app or channel that is not known may be seconds old: made by another process. */
async function findServed(catalog: Catalog, app: string, name: string): Promise<CatalogChannel> {
  try {
    return requireChannel(requireApp(catalog.snapshot, app), name)
  } catch (error) {
    if (!(error instanceof Refusal && error.kind === 'unknown')) throw error
    return requireChannel(requireApp(await catalog.refresh(), app), name)
  }
}
