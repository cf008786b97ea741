import { readVersion, type VersionParts } from '../../shared/version.ts'

/** A version prepared for comparing. */
export interface ParsedVersion extends VersionParts {
  /** Text that orders like the pre-release; that of a version without one is above all others. */
  readonly prereleaseKey: string
  /** Text that orders like the build metadata; that of a version without any is below all others. */
  readonly buildKey: string
}

const DIGITS = /^\d+$/

/** Most versions that are remembered. A fleet runs a few hundred. */
const MAX_REMEMBERED = 10_000
const remembered = new Map<string, ParsedVersion>()

/**
 * Reads a version, with or without a leading `v`.
 * Throws a RangeError for what `readVersion` refuses: texts from outside are validated before.
 */
export function parseVersion(text: string): ParsedVersion {
  const known = remembered.get(text)
  if (known !== undefined) return known
  const read = readVersion(text)
  if (!read.ok) throw new RangeError(`version ${JSON.stringify(text)} ${read.reason}`)
  const version = prepareVersion(read.version)
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  remembered.set(text, version)
  return version
}

/** Prepares the parts of a valid version for comparing. */
export function prepareVersion(parts: VersionParts): ParsedVersion {
  const { text, core, prerelease, build } = parts
  const prereleaseKey = prerelease.length === 0 ? '~' : prerelease.map(sortKey).join(' ')
  return { text, core, prerelease, build, prereleaseKey, buildKey: build.map(sortKey).join(' ') }
}

/** Stands for the version of a device that does not name it: below every version, and empty in targets. */
export const UNKNOWN_VERSION: ParsedVersion = prepareVersion({
  ...{ text: '', core: [-1, 0, 0], prerelease: [], build: [] },
})

/**
 * Orders two versions: negative where `a` is lower, 0 if they are the same release.
 *
 * SemVer 2.0.0 section 11; where precedence is equal, build metadata decides as in npm
 * `semver.compareBuild`, but exactly also for numbers above 2^53. 0 means equal canonical texts.
 */
export function compareVersions(a: ParsedVersion, b: ParsedVersion): number {
  return comparePrecedence(a, b) || compareText(a.buildKey, b.buildKey)
}

/** Orders two versions by SemVer 2.0.0 section 11 alone, which knows no build metadata. */
export function comparePrecedence(a: ParsedVersion, b: ParsedVersion): number {
  return (
    a.core[0] - b.core[0] ||
    a.core[1] - b.core[1] ||
    a.core[2] - b.core[2] ||
    compareText(a.prereleaseKey, b.prereleaseKey)
  )
}

/**
 * Numbers come before words; of two numbers the one with fewer digits is lower, since none has
 * leading zeros. Keys are joined by a space, which is below every character of an identifier, so
 * that of two lists with the same beginning the shorter is lower.
 */
function sortKey(identifier: string): string {
  if (!DIGITS.test(identifier)) return `1${identifier}`
  return `0${String(identifier.length).padStart(3, '0')}${identifier}`
}

function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
