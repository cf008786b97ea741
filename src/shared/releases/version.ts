/** Longest version text that is accepted, in characters. Longer ones break npm's semver parser. */
export const MAX_VERSION_LENGTH = 256

const NUMBER = '(?:0|[1-9]\\d*)'
const PRERELEASE_PART = `(?:${NUMBER}|\\d*[A-Za-z-][0-9A-Za-z-]*)`
const SEMVER = new RegExp(
  `^(${NUMBER})\\.(${NUMBER})\\.(${NUMBER})` +
    `(?:-(${PRERELEASE_PART}(?:\\.${PRERELEASE_PART})*))?` +
    '(?:\\+([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?$',
)
const PARTS = `${PRERELEASE_PART}(?:\\.${PRERELEASE_PART})*`
/** What a version must match, as a regular expression for the API description. */
export const VERSION_PATTERN = `^v?${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-${PARTS})?(?:\\+${PARTS})?$`
const DIGITS = /^\d+$/
/** A build number as `CFBundleVersion` has it: one to three whole numbers by Apple's rule, and four in other apps with Sparkle. */
export const BUILD_NUMBER = /^\d{1,15}(?:\.\d{1,15}){0,3}$/
const SEMVER_HINT = 'must be a semantic version such as 1.4.0 or 2.0.0-rc.1'
/** As assemblies of Windows have them. */
const FOUR_NUMBERS = new RegExp(`^(${NUMBER}\\.${NUMBER}\\.${NUMBER})\\.(${NUMBER})$`)

/** The parts of a version, split but not compared. Numeric parts are safe integers. */
export interface VersionParts {
  /** The canonical text: no leading `v`, build metadata kept. */
  readonly text: string
  readonly core: readonly [major: number, minor: number, patch: number]
  readonly prerelease: readonly string[]
  readonly build: readonly string[]
}

/** The parts of a valid version, or the reason why the text is invalid. */
export type VersionResult =
  | { readonly ok: true; readonly version: VersionParts }
  | { readonly ok: false; readonly reason: string }

/** Most valid versions that are remembered: a fleet repeats few of them, many thousand times. */
const MAX_REMEMBERED = 10_000
const remembered = new Map<string, VersionResult>()

/**
 * Reads a version by SemVer 2.0.0. One leading `v` is dropped; build metadata is kept.
 *
 * Refused beyond the grammar, because updater clients would fail on it or order it differently:
 * more than 256 characters, core or numeric pre-release parts above 2^53 − 1, and numeric build
 * parts with leading zeros.
 */
export function readVersion(text: string): VersionResult {
  const known = remembered.get(text)
  if (known !== undefined) return known
  const result = parse(text)
  if (result.ok) {
    if (remembered.size >= MAX_REMEMBERED) remembered.clear()
    remembered.set(text, result)
  }
  return result
}

function parse(text: string): VersionResult {
  if (text.length > MAX_VERSION_LENGTH) {
    return { ok: false, reason: `must be at most ${MAX_VERSION_LENGTH} characters` }
  }
  const bare = text.startsWith('v') ? text.slice(1) : text
  const match = SEMVER.exec(bare)
  if (match === null) {
    const [, core, last] = FOUR_NUMBERS.exec(bare) ?? []
    const written = core === undefined ? '' : `; write ${bare} as ${core}+${last}`
    return { ok: false, reason: SEMVER_HINT + written }
  }
  const core = [Number(match[1]), Number(match[2]), Number(match[3])] as const
  const prerelease = match[4]?.split('.') ?? []
  const build = match[5]?.split('.') ?? []
  if (!core.every(Number.isSafeInteger)) {
    return { ok: false, reason: 'has a major, minor or patch number above 9007199254740991' }
  }
  if (prerelease.some((part) => DIGITS.test(part) && !Number.isSafeInteger(Number(part)))) {
    return { ok: false, reason: 'has a pre-release number above 9007199254740991' }
  }
  if (build.some((part) => part.length > 1 && part.startsWith('0') && DIGITS.test(part))) {
    return { ok: false, reason: 'has a number with leading zeros in its build metadata' }
  }
  return { ok: true, version: { text: bare, core, prerelease, build } }
}

/**
 * Returns the build number of a version: its build metadata, if that is made of numbers, as in `1.0.43+260`. Undefined for
 * a version that is its own build number.
 */
export function buildOf({ build }: Pick<VersionParts, 'build'>): string | undefined {
  const text = build.join('.')
  return BUILD_NUMBER.test(text) ? text : undefined
}

/** Returns what the app of a release has as its `CFBundleVersion`. */
export function bundleVersionOf(version: VersionParts): string {
  return buildOf(version) ?? version.text
}

/** Returns a version as people read it: without its build number. */
export function shortVersionOf(version: VersionParts): string {
  const build = buildOf(version)
  return build === undefined ? version.text : version.text.slice(0, -build.length - 1)
}

/** A version prepared for comparing. */
export interface ParsedVersion extends VersionParts {
  /** Text that orders like the pre-release; that of a version without one is above all others. */
  readonly prereleaseKey: string
  /** Text that orders like the build metadata; that of a version without any is below all others. */
  readonly buildKey: string
}

/** Prepares the parts of a valid version for comparing. */
export function prepareVersion(parts: VersionParts): ParsedVersion {
  const { text, core, prerelease, build } = parts
  const prereleaseKey = prerelease.length === 0 ? '~' : prerelease.map(sortKey).join(' ')
  return { text, core, prerelease, build, prereleaseKey, buildKey: build.map(sortKey).join(' ') }
}

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

/** Orders texts by their UTF-16 units. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
