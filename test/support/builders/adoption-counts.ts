import {
  type ChartSpan,
  fillSteps,
  type VersionSteps,
} from '../../../src/server/fleet/charts/charts.ts'

/** Devices of a version in one step. */
export interface AdoptionCount {
  readonly step: number
  readonly version: string
  readonly devices: number
}

/** Adds up counts by version and step. */
export function versionSteps(span: ChartSpan, counts: readonly AdoptionCount[]): VersionSteps {
  const byVersion = Map.groupBy(counts, ({ version }) => version)
  return new Map(
    [...byVersion].map(([version, of]) => [version, fillSteps(span, of, ({ devices }) => devices)]),
  )
}
