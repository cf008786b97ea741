import { RELEASES_LINE } from '../../../shared/artifacts/signature-form.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import type { ParsedVersion } from '../decision/version.ts'
import { artifactsFor, nameOfFile, ofForm, pathOfFile } from './files.ts'

/** The packages of Squirrel.Windows and Velopack. */
export const PACKAGE = { end: '.nupkg', kinds: ['nupkg'] } as const

/** What updaters compare a downloaded package with. */
export interface PackageSum {
  /** In lower-case hex. */
  readonly sha1: string
  /** Of the full package that a delta package was built from; undefined for others. */
  readonly base: string | undefined
  /** Bytes. */
  readonly size: number
}

/** Returns the SHA-1 and size of a package, from the line of `RELEASES` in its signature. Undefined if that is none. */
export function packageOf({ signature, size }: Artifact): PackageSum | undefined {
  const [, sha1, listed, base] = RELEASES_LINE.exec(signature) ?? []
  const bytes = listed === undefined ? size : Number(listed)
  if (sha1 === undefined || bytes === 0) return undefined
  return { sha1: sha1.toLowerCase(), base: base?.toLowerCase(), size: bytes }
}

/** Returns the full packages for a canonical platform and arch, null if not known, that updaters can verify. */
export function fullPackages(
  artifacts: readonly Artifact[],
  platform: string,
  arch: string | null,
): Artifact[] {
  return ofForm(artifactsFor(artifacts, platform, arch), PACKAGE).filter(
    (artifact) => packageFault(artifact) === null,
  )
}

/** Returns whether a file is a package of only what has changed, which no updater installs without the one that it changes. */
export function isDelta(artifact: Artifact): boolean {
  return pathOfFile(artifact).endsWith('-delta.nupkg')
}

/** Returns why a package is not listed; null if it is. */
export function packageFault(artifact: Artifact): 'delta' | 'unsigned' | 'signature_form' | null {
  if (isDelta(artifact)) return 'delta'
  if (packageOf(artifact) !== undefined) return null
  return artifact.signature === '' ? 'unsigned' : 'signature_form'
}

/** Returns the name of a package in the lists that the server writes: as `vpk` names it, and unique on the channel. */
export function nameInList({ text }: ParsedVersion, file: Artifact): string {
  return `${packageIdOf(file)}-${text}-${isDelta(file) ? 'delta' : 'full'}.nupkg`
}

/** Returns the ID of a package: what its name has before the version. */
export function packageIdOf(artifact: Artifact): string {
  const name = nameOfFile(artifact).replace(/\.nupkg$/i, '')
  return /^(.+?)-\d+\.\d+/.exec(name)?.[1] ?? name
}
