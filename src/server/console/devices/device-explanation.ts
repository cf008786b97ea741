import type { z } from 'zod'
import type { ExplainInput, Explanation } from '../../../shared/console/devices.ts'
import { Refusal } from '../../catalog/errors.ts'
import type { ConsoleContext } from '../context.ts'
import { channelName } from './device-list.ts'

/** Most candidates that are shown. */
const MAX_CANDIDATES = 100

/**
 * Returns the update decision for a recorded device and the reasons, optionally as if it were on another channel or version,
 * asked with an updater, named a kind of bundle or a system, or a person asked. Has no effect on the device. Throws the
 * refusals `unknown`, `version_needed` and `invalid`.
 */
export async function explainDevice(
  { catalog, updates, principal }: ConsoleContext,
  { app, deviceId, channel, client, ...assumed }: z.output<typeof ExplainInput>,
): Promise<Explanation> {
  const query = { app, deviceId, channel, client, assumed }
  const result = await updates.explainDevice(principal, query)
  if ('lacks' in result && result.lacks === 'version') {
    throw new Refusal({ code: 'version_needed', deviceId })
  }
  if ('lacks' in result || result.device === undefined) {
    throw new Refusal({ code: 'unknown_device', app, deviceId })
  }
  const { profile } = result.device
  const { update: _update, candidates, ...explained } = result.explained
  const own = channelName(catalog.snapshot, profile.channelKey)
  return {
    ...explained,
    assumed:
      explained.channel !== own ||
      explained.version !== profile.version ||
      explained.bundle !== '' ||
      client !== undefined ||
      assumed.system !== undefined ||
      result.facts.manual,
    candidates: candidates.slice(0, MAX_CANDIDATES),
    moreCandidates: Math.max(0, candidates.length - MAX_CANDIDATES),
  }
}
