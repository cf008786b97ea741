import { ANY_ARCH, canonicalArch } from '../../../shared/aliases.ts'
import type { Artifact } from '../../../shared/release.ts'
import { artifactsFor, type FileForm, ofForm } from './files.ts'

const form = (end: string, ...kinds: readonly string[]): FileForm => ({ end, kinds })

/** The files that the updaters of a platform look for, best first; without the `needed` one, they fail. */
const FORMS: Readonly<
  Record<string, { readonly needed: FileForm | null; readonly others: readonly FileForm[] }>
> = {
  windows: { needed: form('.exe', 'nsis', 'exe'), others: [] },
  // Squirrel.Mac installs the zip; the disk image is for people.
  darwin: { needed: form('.zip', 'zip', 'app'), others: [form('.dmg', 'dmg')] },
  linux: {
    needed: null,
    others: [
      form('.appimage', 'appimage'),
      form('.deb', 'deb'),
      form('.rpm', 'rpm'),
      form('.pacman', 'pacman'),
    ],
  },
}

/** How electron-updater names architectures: as Node does. */
const NODE_ARCHES: ReadonlyMap<string, string> = new Map([
  ['x86_64', 'x64'],
  ['aarch64', 'arm64'],
  ['i686', 'ia32'],
])

/** Returns the files of a release that electron-updater can install; see `findFile` in its `Provider.ts`. */
export function electronFiles(
  artifacts: readonly Artifact[],
  platform: string,
  arch: string | null,
): Artifact[] {
  const { needed = null, others = [] } = FORMS[platform] ?? {}
  const own = artifactsFor(artifacts, platform, arch)
  const first = needed === null ? [] : ofForm(own, needed)
  return needed !== null && first.length === 0
    ? []
    : [...first, ...others.flatMap((form) => ofForm(own, form))]
}

/**
 * Returns the address of a file with its arch. Where a release has files for several, electron-updater takes the one
 * whose address contains the arch as Node names it, and on macOS one without `arm64` for Intel (`findFile`,
 * `filterFilesForArch`). A fragment says so for files that are named otherwise; it is not sent when the file is
 * downloaded.
 */
export function addressWithArch({ url, arch, platform }: Artifact): string {
  const named = NODE_ARCHES.get(canonicalArch(arch))
  if (platform === 'linux' || canonicalArch(arch) === ANY_ARCH) return url
  return named === undefined || url.includes(named) || url.includes('#') ? url : `${url}#${named}`
}
