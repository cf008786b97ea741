import { compareVersions, parseVersion } from '../decision/version.ts'
import type { AdoptionBands, AdoptionCount, ChartSpan } from './charts.ts'
import { fillSteps } from './charts-span.ts'

/** Versions that have a band of their own in a chart. */
export const MAX_BANDS = 10

/**
 * Devices by version at every step of the span. The versions that ever had most devices in a step
 * have a band each, of equal ones the newer; the bands stand newest first, and what is left over is
 * the last. At each step the bands add up to the total.
 */
export function bandsOf(span: ChartSpan, counts: readonly AdoptionCount[]): AdoptionBands {
  const inside = counts.filter(({ step }) => step >= span.from && step <= span.to)
  const total = fillSteps(span, inside, ({ devices }) => devices)
  const versions = [...Map.groupBy(inside, ({ version }) => version)]
    .map(([version, of]) => ({ version, devices: fillSteps(span, of, ({ devices }) => devices) }))
    .filter(({ devices }) => devices.some((count) => count > 0))
    .map((band) => ({
      ...band,
      parsed: parseVersion(band.version),
      peak: Math.max(...band.devices),
    }))
    .toSorted((a, b) => b.peak - a.peak || compareVersions(b.parsed, a.parsed))
  const own = versions
    .slice(0, MAX_BANDS)
    .toSorted((a, b) => compareVersions(b.parsed, a.parsed))
    .map(({ version, devices }) => ({ version, devices }))
  const others = versions.slice(MAX_BANDS)
  if (others.length === 0) return { total, bands: own, otherVersions: 0 }
  const devices = total.map((_, step) =>
    others.reduce((sum, other) => sum + (other.devices[step] ?? 0), 0),
  )
  return { total, bands: [...own, { version: null, devices }], otherVersions: others.length }
}
