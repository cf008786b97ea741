/** Endings that mean something only as a unit, and those of installers and archives that updaters install. */
const INSTALLERS: readonly string[] = [
  ...['.app.tar.gz', '.appimage.tar.gz', '.nsis.zip', '.msi.zip', '.app.zip', '-delta.nupkg'],
  ...['.tar.gz', '.tgz', '.tar.xz', '.tar.zst', '.tar.bz2', '.zip', '.7z', '.gz', '.xz', '.zst'],
  ...['.exe', '.msi', '.msix', '.msixbundle', '.appx', '.appxbundle', '.nupkg'],
  ...['.dmg', '.pkg', '.appimage', '.deb', '.rpm', '.snap', '.flatpak', '.pacman', '.apk'],
  ...['.run', '.bin', '.sh', '.jar', '.asar'],
]

/** Returns the kind of file that a name ends with, such as `.app.tar.gz`; empty if it has no ending. */
export function kindOfFile(fileName: string): string {
  const name = fileName.toLowerCase()
  const known = INSTALLERS.find((ending) => name.endsWith(ending))
  return known ?? /\.[a-z0-9]+$/.exec(name)?.[0] ?? ''
}

/** Returns whether a file could be something that devices install, by its name. */
export function isInstaller(fileName: string): boolean {
  return INSTALLERS.includes(kindOfFile(fileName))
}

/** A version as file names contain it: the three numbers, and a pre-release tag that people use. */
interface NamedVersion {
  readonly core: string
  /** In one spelling, such as `beta.2`; empty for a release. */
  readonly tag: string
}

const TAGS = 'alpha|beta|rc|next|canary|dev|nightly|preview|pre|snapshot'
const VERSION = new RegExp(
  `(?<![\\d.])v?(\\d+\\.\\d+\\.\\d+)(?:[-._~]?((?:${TAGS})(?:[-._]?\\d+)*))?`,
  'gi',
)

/**
 * Returns the version in a file name or a path that contradicts `version`, as it is written there; undefined if
 * none does. Other numbers, such as that of the operating system, do no harm beside the right one.
 */
export function otherVersionIn(text: string, version: string): string | undefined {
  const wanted = versionsIn(version)[0]
  const found = versionsIn(text)
  if (wanted === undefined || found.some((each) => isSame(each, wanted))) return undefined
  return found[0]?.text
}

/** Returns the first version in a file name, as a semantic version; empty if there is none. */
export function versionInName(fileName: string): string {
  const [found] = versionsIn(fileName)
  if (found === undefined) return ''
  const tag = found.tag.replace(/(?<=[a-z])(?=\d)/, '.')
  return tag === '' ? found.core : `${found.core}-${tag}`
}

function versionsIn(text: string): (NamedVersion & { readonly text: string })[] {
  return [...text.matchAll(VERSION)].map(([match, core = '', tag = '']) => ({
    text: match.replace(/^v/i, ''),
    core: core.replaceAll(/(?<=^|\.)0+(?=\d)/g, ''),
    tag: tag.toLowerCase().replaceAll(/[-._]/g, ''),
  }))
}

/** Names often leave the pre-release tag out; one that is there must be the right one. */
function isSame(found: NamedVersion, wanted: NamedVersion): boolean {
  return found.core === wanted.core && (found.tag === '' || found.tag === wanted.tag)
}
