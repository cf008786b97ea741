import { canonicalArch, canonicalPlatform } from '../../../shared/devices/aliases.ts'
import { OTHER } from '../../../shared/devices/counting.ts'
import type { AdoptionBands, ChartSpan, PlatformCount, VersionSteps } from './charts.ts'
import { compareRunning } from './summary.ts'

/** Maximum versions with their own band in a chart. */
export const MAX_BANDS = 10

/**
 * Returns the devices by version at every step of the span. The versions with the highest peaks have their own
 * bands, of equal ones the newer. The bands are ordered by version, newest first. The last one contains all
 * other versions, including those counted as other. At each step the bands add up to the total.
 */
export function bandsOf(span: ChartSpan, counts: VersionSteps): AdoptionBands {
  const versions = [...counts]
    .map(([version, devices]) => ({ version, devices, peak: Math.max(...devices) }))
    .filter(({ peak }) => peak > 0)
    .toSorted((a, b) => b.peak - a.peak || compareRunning(b.version, a.version))
  const own = versions
    .filter(({ version }) => version !== OTHER)
    .slice(0, MAX_BANDS)
    .toSorted((a, b) => compareRunning(b.version, a.version))
    .map(({ version, devices }) => ({ version, devices: [...devices] }))
  const total = sumOf(span, versions)
  const names = new Set(own.map(({ version }) => version))
  const others = versions.filter(({ version }) => !names.has(version))
  if (others.length === 0) return { total, bands: own, otherVersions: 0 }
  const rest = { version: null, devices: sumOf(span, others) }
  const isKnown = others.every(({ version }) => version !== OTHER)
  return { total, bands: [...own, rest], otherVersions: isKnown ? others.length : 0 }
}

function sumOf(
  { from, to }: ChartSpan,
  versions: readonly { readonly devices: readonly number[] }[],
): number[] {
  const sum = new Array<number>(to - from + 1).fill(0)
  for (const { devices } of versions) {
    for (const [step, count] of devices.entries()) sum[step] = (sum[step] ?? 0) + count
  }
  return sum
}

/** Adds up names of the same platform and arch; most devices first. */
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
