import type { KnownProfiles } from './known-profiles.ts'
import type { Conditions, DeviceColumns } from './matching.ts'
import { isListed } from './matching.ts'

/** Maximum number of values in each list of choices. */
const MAX_CHOICES = 200

export interface Census {
  /** Devices of the app, and how many of them match. */
  readonly known: number
  readonly versions: readonly string[]
  readonly platforms: readonly string[]
  readonly arches: readonly string[]
}

/** Counts versions and platforms of all devices of the app, regardless of the filters. */
export function takeCensus(
  devices: DeviceColumns,
  highest: number,
  { profiles: accepted }: Conditions,
  profiles: KnownProfiles,
): Census {
  const byProfile = devices.countByProfile(highest, accepted.length)
  const counts = {
    version: new Map(),
    platform: new Map(),
    arch: new Map(),
  } as const satisfies Record<string, Map<string, number>>
  let known = 0
  for (const [id, count] of byProfile.entries()) {
    const profile = profiles.get(id)
    if (count === 0 || profile === undefined || accepted[id] === 0) continue
    known += count
    for (const part of ['version', 'platform', 'arch'] as const) {
      counts[part].set(profile[part], (counts[part].get(profile[part]) ?? 0) + count)
    }
  }
  return {
    known,
    versions: mostCommon(counts.version),
    platforms: mostCommon(counts.platform),
    arches: mostCommon(counts.arch),
  }
}

/** The number of matching devices, and which they are if they are few. */
export function countMatches(
  devices: DeviceColumns,
  highest: number,
  conditions: Conditions,
  few: number,
): { total: number; matches: readonly number[] } {
  const matches: number[] = []
  let total = 0
  for (let device = 1; device <= highest; device++) {
    if (!isListed(devices, device, conditions)) continue
    if (++total <= few) matches.push(device)
  }
  return { total, matches }
}

function mostCommon(counts: ReadonlyMap<string, number>): string[] {
  return [...counts]
    .filter(([text]) => text !== '')
    .sort(([, a], [, b]) => b - a)
    .slice(0, MAX_CHOICES)
    .map(([text]) => text)
}
