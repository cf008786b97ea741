import { SPARKLE_SIGNATURE } from '../../../shared/artifacts/signature-form.ts'
import { canonicalPlatform } from '../../../shared/devices/aliases.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import type { FileChoice } from '../decision/view.ts'
import { electronFiles, highestFloor } from './electron-files.ts'
import { artifactsFor, type FileForm, ofForm } from './files.ts'
import { fullPackages } from './packages.ts'

/** The files that Sparkle installs; `arch` is canonical, here as in the others, and null if it is not known. */
export const sparkleChoice = (arch: string | null): FileChoice => ({
  ...{ name: `sparkle ${arch}`, platform: 'darwin' },
  choose: (artifacts) => sparkleFiles(artifacts, arch),
})

/** The files that Squirrel.Mac installs. */
export const squirrelChoice = (arch: string | null): FileChoice => ({
  ...{ name: `squirrel ${arch}`, platform: 'darwin' },
  choose: (artifacts) => squirrelFiles(artifacts, arch),
})

/** The packages that Squirrel.Windows and Velopack install on a platform. */
export function packagesOn(platform: string): (arch: string | null) => FileChoice {
  const canonical = supported(platform)
  return (arch) => ({
    ...{ name: `packages ${canonical} ${arch}`, platform: canonical },
    choose: (artifacts) => fullPackages(artifacts, canonical, arch),
  })
}

/** The files that electron-updater installs. `packageType`: as `packageTypeOn` returns it. */
export function electronChoice(
  platform: string,
  arch: string | null,
  packageType: string,
): FileChoice {
  const canonical = supported(platform)
  return {
    ...{ name: `electron ${canonical} ${arch} ${packageType}`, platform: canonical },
    choose: (artifacts) => electronFiles(artifacts, canonical, arch, packageType),
    floorOf: highestFloor,
  }
}

/** The platforms that updaters with feeds support: there are few choices, whatever callers send. */
const PLATFORMS: readonly string[] = ['windows', 'darwin', 'linux']

/** On another platform, no device matches the files of the choice. */
function supported(platform: string): string {
  const canonical = canonicalPlatform(platform)
  return PLATFORMS.includes(canonical) ? canonical : 'windows'
}

const ZIP: FileForm = { end: '.zip', kinds: ['zip', 'app'] }

/** The forms of the files that Squirrel.Mac installs. */
export const SQUIRREL_FORMS: readonly FileForm[] = [ZIP]

/** Those that Sparkle installs, best first: a disk image is what most publishers sign for it. */
export const SPARKLE_FORMS: readonly FileForm[] = [
  { end: '.dmg', kinds: ['dmg'] },
  ZIP,
  ...['.pkg', '.tar.gz', '.tgz', '.tar.xz', '.tar.bz2', '.aar'].map((end) => ({
    ...{ end, kinds: ['app', 'pkg'] },
  })),
]

/** Returns the files that Squirrel.Mac installs on a canonical arch, null if not known, best first. */
export function squirrelFiles(artifacts: readonly Artifact[], arch: string | null): Artifact[] {
  return ofForm(artifactsFor(artifacts, 'darwin', arch), ZIP)
}

/** Returns the files that Sparkle installs on a canonical arch, null if not known, best first. */
export function sparkleFiles(artifacts: readonly Artifact[], arch: string | null): Artifact[] {
  const own = artifactsFor(artifacts, 'darwin', arch).filter(isForSparkle)
  const fitting = SPARKLE_FORMS.flatMap((form) => ofForm(own, form))
  const bestArch = own.find((artifact) => fitting.includes(artifact))?.arch
  return fitting.filter((artifact) => artifact.arch === bestArch)
}

/** A signature of another kind, such as that of Tauri, belongs to a file for another updater. */
export function isForSparkle({ signature }: Artifact): boolean {
  return signature === '' || SPARKLE_SIGNATURE.test(signature)
}
