import { ANY_ARCH, canonicalArch, canonicalPlatform } from '../../shared/devices/aliases.ts'
import type { Artifact } from '../../shared/releases/release.ts'
import { NO_LABELS } from '../fleet/labels.ts'
import { compareVersions } from '../rules/decision/version.ts'
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
  const found: DeviceGroup[] = []
  for (const { facts, version } of channel.compiled.releases.toReversed()) {
    const isRecent = now - Date.parse(facts.createdAt) <= REMEMBERED
    // What was stopped before any device was offered it runs nowhere.
    const isOut = facts.offered || (facts.status === 'published' && facts.rolloutPct > 0)
    if (!isRecent || !isOut || compareVersions(version, release.version) >= 0) continue
    for (const { platform, arch } of facts.artifacts.flatMap((each) => systemsOf(each, groups))) {
      const key = keyOf(version.text, platform, arch)
      if (known.has(key) || found.length >= MAX_RELEASED) continue
      known.add(key)
      const nobody = { labels: NO_LABELS, deviceId: null, example: null, devices: 0 }
      found.push({ version: version.text, platform, arch, ...nobody })
    }
  }
  return found
}

/** The systems that a file is for; one for every arch, those that devices of its platform have. */
function systemsOf(
  artifact: Artifact,
  groups: readonly DeviceGroup[],
): { readonly platform: string; readonly arch: string }[] {
  const platform = canonicalPlatform(artifact.platform)
  const arch = canonicalArch(artifact.arch)
  if (arch !== ANY_ARCH) return [{ platform, arch }]
  const seen = new Set(groups.filter((each) => each.platform === platform).map((each) => each.arch))
  return [...(seen.size > 0 ? seen : [arch])].map((each) => ({ platform, arch: each }))
}
