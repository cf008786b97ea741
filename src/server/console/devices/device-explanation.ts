import type { z } from 'zod'
import type { ExplainInput, Explanation } from '../../../shared/console/devices.ts'
import { requireChannel } from '../../catalog/catalog.ts'
import { Refusal } from '../../catalog/errors.ts'
import { factsOf } from '../../fleet/devices/device-facts.ts'
import { explainDecision } from '../../updates/explanation.ts'
import type { ConsoleContext } from '../context.ts'
import { findApp } from '../lookup.ts'
import { channelName } from './device-list.ts'

/** Most candidates that are shown. */
const MAX_CANDIDATES = 100

/**
 * What a device is told when it asks now, and why; or would be on another channel or version. The
 * device hears nothing of it. Throws the refusal `unknown`.
 */
export async function explainDevice(
  { catalog, fleet }: ConsoleContext,
  { app: ref, deviceId, channel, version }: z.output<typeof ExplainInput>,
): Promise<Explanation> {
  const snapshot = await catalog.refresh()
  const app = findApp(snapshot, ref)
  const appKey = app.record.key
  const profile = fleet.profileOf(appKey, deviceId)
  const [labels = {}] = await fleet.labelsOf(appKey, [deviceId])
  const facts = factsOf(deviceId, profile && { ...profile, labels }, { version })
  const own = profile && channelName(snapshot, profile.channelKey)
  const name = channel ?? own
  if (profile !== undefined && facts === undefined) {
    throw new Refusal('invalid', `version: required, because "${deviceId}" is counted as other`)
  }
  if (profile === undefined || facts === undefined || name == null) {
    throw new Refusal('unknown', `unknown device "${deviceId}" of app "${ref}"`)
  }
  const { update, candidates, ...explained } = explainDecision(requireChannel(app, name), facts)
  return {
    ...explained,
    assumed: name !== own || facts.version.text !== profile.version,
    candidates: candidates.slice(0, MAX_CANDIDATES),
    moreCandidates: Math.max(0, candidates.length - MAX_CANDIDATES),
  }
}
