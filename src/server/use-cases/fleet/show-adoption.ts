import type { Adoption } from '../../../shared/adoption.ts'
import { unknownRelease } from '../../catalog/catalog.ts'
import { type ChannelPlace, findChannel, type Principal } from '../principal.ts'
import { type PresenceParts, presenceOf } from './presence.ts'

/**
 * Returns how many devices run a release, from the counters (docs/api.md, "Show the adoption of a release"). Needs the
 * role `viewer`. Throws `unknown`.
 */
export async function showAdoption(
  parts: PresenceParts,
  principal: Principal,
  { version, ...place }: ChannelPlace & { readonly version: string },
): Promise<Adoption> {
  const { catalog } = parts
  const channel = findChannel(await catalog.refresh(), principal, place, 'viewer')
  const { app, record } = channel
  const release = await catalog.store.release(record.key, version)
  if (release === undefined) throw unknownRelease(channel, version)
  const presence = (await presenceOf(parts, app.key)).channel(record.name)
  const devices = presence?.seenLast7Days ?? 0
  const adopted =
    presence?.versions.find((running) => running.version === version)?.seenLast7Days ?? 0
  return {
    ...{ app: app.ref, channel: record.name, version },
    ...{ status: release.status, rolloutPct: release.rolloutPct },
    ...{ devices, adopted, share: devices === 0 ? null : adopted / devices },
  }
}
