import { ANY_ARCH, canonicalArch, canonicalPlatform } from '../../shared/aliases.ts'
import { compareVersions } from '../decision/version.ts'
import { NO_LABELS } from '../fleet/labels.ts'
import type { DeviceGroup } from './groups.ts'
import type { Trial } from './walk.ts'

/** Milliseconds for which released versions are checked that no device runs now: two years. */
const REMEMBERED = 2 * 365 * 86_400_000
/** Most of them, the latest first. */
const MAX_RELEASED = 2_000

/**
 * Returns groups without devices: versions below the release that were released in the two years before `now` (Unix ms), for the
 * systems that they have files for, except those of `groups`.
 */
export function releasedBefore(
  { channel, release }: Trial,
  groups: readonly DeviceGroup[],
  now: number,
): DeviceGroup[] {
  const keyOf = (...parts: readonly string[]) => parts.join(' ')
  const known = new Set(groups.map((each) => keyOf(each.version, each.platform, each.arch)))
  // Devices of some arch show what those of any would do.
  for (const each of groups) known.add(keyOf(each.version, each.platform, ANY_ARCH))
  const found: DeviceGroup[] = []
  for (const { facts, version } of channel.compiled.releases.toReversed()) {
    const isRecent = now - Date.parse(facts.createdAt) <= REMEMBERED
    if (!isRecent || compareVersions(version, release.version) >= 0) continue
    for (const artifact of facts.artifacts) {
      const system = {
        platform: canonicalPlatform(artifact.platform),
        arch: canonicalArch(artifact.arch),
      }
      const key = keyOf(version.text, system.platform, system.arch)
      if (known.has(key) || found.length >= MAX_RELEASED) continue
      known.add(key)
      const nobody = { labels: NO_LABELS, deviceId: null, devices: 0 }
      found.push({ version: version.text, ...system, ...nobody })
    }
  }
  return found
}
