import { SPARKLE_SIGNATURE } from '../../../shared/artifacts/signature-form.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import { artifactsFor, type FileForm, ofForm } from './files.ts'

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
