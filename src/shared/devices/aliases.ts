const PLATFORMS: ReadonlyMap<string, string> = aliasTable([
  ['darwin', 'macos', 'mac', 'osx'],
  ['windows', 'win32', 'win'],
])

/** The arch of artifacts that serve every arch of their platform. */
export const ANY_ARCH = 'any'

const ARCHES: ReadonlyMap<string, string> = aliasTable([
  ['x86_64', 'x64', 'amd64'],
  ['aarch64', 'arm64'],
  ['i686', 'x86', 'ia32', 'i386'],
  ['armv7', 'armv7l', 'armhf'],
  [ANY_ARCH, 'universal'],
])

/** The one name of an operating system: `macos` is `darwin`. An unknown token is lower-cased. */
export function canonicalPlatform(token: string): string {
  const name = token.toLowerCase()
  return PLATFORMS.get(name) ?? name
}

/** The one name of an architecture: `arm64` is `aarch64`. An unknown token is lower-cased. */
export function canonicalArch(token: string): string {
  const name = token.toLowerCase()
  return ARCHES.get(name) ?? name
}

/**
 * Names a platform, an arch and a bundle kind, which may be empty, after aliases: `linux/x86_64/deb`, `linux/x86_64`.
 * A release has at most one artifact for each.
 */
export function artifactKey(platform: string, arch: string, kind: string): string {
  const devices = `${canonicalPlatform(platform)}/${canonicalArch(arch)}`
  return kind === '' ? devices : `${devices}/${kind.toLowerCase()}`
}

/**
 * The kinds of bundle that the updaters of a platform usually install, best first. Devices that do not name a kind
 * get one of these.
 */
const USUAL_KINDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['darwin', ['app', 'zip']],
  ['linux', ['appimage']],
  ['windows', ['nsis']],
])

/** Returns the usual kinds of a canonical platform, best first; none for an unknown platform. */
export function usualKinds(platform: string): readonly string[] {
  return USUAL_KINDS.get(platform) ?? []
}

/** Returns whether the platform is one of the three common ones, in any spelling. */
export function isKnownPlatform(token: string): boolean {
  return token === 'linux' || PLATFORMS.has(token.toLowerCase())
}

/** Returns whether the architecture is in the table of spellings. */
export function isKnownArch(token: string): boolean {
  return ARCHES.has(token.toLowerCase())
}

/** From every spelling to the first of its row. */
function aliasTable(rows: readonly (readonly [string, ...string[]])[]): Map<string, string> {
  return new Map(rows.flatMap((row) => row.map((name) => [name, row[0]])))
}
