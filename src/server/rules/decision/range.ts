import type { Comparator } from 'semver'
// The package as a whole has 40 more modules, and every start would load them.
import Range from 'semver/classes/range.js'
import { readVersion } from '../../../shared/releases/version.ts'
import { comparePrecedence, type ParsedVersion, prepareVersion } from './version.ts'

/** A range as npm writes it: a version is in when it meets all the bounds of one alternative. */
export interface VersionRange {
  readonly alternatives: readonly (readonly Bound[])[]
}

interface Bound {
  readonly version: ParsedVersion
  readonly below: boolean
  readonly equal: boolean
  readonly above: boolean
}

const ACCEPTED = {
  '': { below: false, equal: true, above: false },
  '=': { below: false, equal: true, above: false },
  '<': { below: true, equal: false, above: false },
  '<=': { below: true, equal: true, above: false },
  '>': { below: false, equal: false, above: true },
  '>=': { below: false, equal: true, above: true },
} as const

/** Reads an npm semver range with `includePrerelease`; `undefined` where the text is none. */
export function parseRange(text: string): VersionRange | undefined {
  const set = readSet(text)
  if (set === undefined) return undefined
  const alternatives: Bound[][] = []
  for (const comparators of set) {
    const bounds: Bound[] = []
    for (const { value, operator, semver } of comparators) {
      // The comparator without a text accepts every version.
      if (value === '') continue
      const read = readVersion(semver.version)
      if (!read.ok) return undefined
      bounds.push({ version: prepareVersion(read.version), ...ACCEPTED[operator] })
    }
    alternatives.push(bounds)
  }
  return { alternatives }
}

/** Returns whether a version is in a range, as `semver.satisfies` with `includePrerelease`. Build metadata does not count. */
export function isInRange(range: VersionRange, version: ParsedVersion): boolean {
  for (const bounds of range.alternatives) {
    if (meetsAll(bounds, version)) return true
  }
  return false
}

function meetsAll(bounds: readonly Bound[], version: ParsedVersion): boolean {
  for (const bound of bounds) {
    const order = comparePrecedence(version, bound.version)
    const accepted = order === 0 ? bound.equal : order < 0 ? bound.below : bound.above
    if (!accepted) return false
  }
  return true
}

function readSet(text: string): readonly (readonly Comparator[])[] | undefined {
  try {
    return new Range(text, { includePrerelease: true }).set
  } catch {
    return undefined
  }
}
