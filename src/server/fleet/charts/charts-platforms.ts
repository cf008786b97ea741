import { canonicalArch, canonicalPlatform } from '../../../shared/aliases.ts'
import type { PlatformCount } from './charts.ts'

/** Adds up what is the same platform and arch under other names; most devices first. */
export function platformsOf(counts: readonly PlatformCount[]): PlatformCount[] {
  const sums = new Map<string, PlatformCount>()
  for (const { devices, ...reported } of counts) {
    const platform = canonicalPlatform(reported.platform)
    const arch = canonicalArch(reported.arch)
    const key = `${platform} ${arch}`
    sums.set(key, { platform, arch, devices: devices + (sums.get(key)?.devices ?? 0) })
  }
  return [...sums.values()]
    .filter(({ devices }) => devices > 0)
    .toSorted(
      (a, b) =>
        b.devices - a.devices || (`${a.platform} ${a.arch}` < `${b.platform} ${b.arch}` ? -1 : 1),
    )
}
