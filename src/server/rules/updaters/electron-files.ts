import { ANY_ARCH, canonicalArch, canonicalPlatform } from '../../../shared/devices/aliases.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import type { CompiledChannel } from '../decision/channel.ts'
import { comparePrecedence, type ParsedVersion } from '../decision/version.ts'
import { artifactsFor, type FileForm, hasForm, ofForm } from './files.ts'

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

/** Returns the forms of the files that electron-updater looks for on a platform, which must be canonical; none on others. */
export function electronForms(platform: string): readonly FileForm[] {
  const { needed = null, others = [] } = FORMS[platform] ?? {}
  return [...(needed === null ? [] : [needed]), ...others]
}

/** Returns the release that differs from a version in build metadata alone, which npm's semver ignores. Undefined if none. */
export function blockingInElectron(
  { releases }: CompiledChannel,
  version: ParsedVersion,
): ParsedVersion | undefined {
  const same = releases.findLast(({ version: other, facts }) => {
    return comparePrecedence(other, version) === 0 && facts.artifacts.some(isForElectron)
  })
  return same?.version
}

/** Files for other updaters that have these forms carry a signature. */
function isForElectron(artifact: Artifact): boolean {
  const forms = electronForms(canonicalPlatform(artifact.platform))
  return artifact.signature === '' && forms.some((each) => hasForm(artifact, each))
}

/** How electron-updater names architectures: as Node does. */
const NODE_ARCHES: ReadonlyMap<string, string> = new Map([
  ['x86_64', 'x64'],
  ['aarch64', 'arm64'],
  ['i686', 'ia32'],
])

/** Returns the kind of Linux package that electron-updater was installed from, by its query. Empty for anything else. */
export function packageTypeOn(platform: string, bundle: string | null): string {
  const kind = bundle?.toLowerCase() ?? ''
  const isKnown = FORMS[platform]?.others.some(({ kinds }) => kinds.includes(kind))
  return platform === 'linux' && isKnown === true ? kind : ''
}

/** Returns the files that electron-updater can install (`findFile` in its `Provider.ts`). `packageType`: see `packageTypeOn`. */
export function electronFiles(
  artifacts: readonly Artifact[],
  platform: string,
  arch: string | null,
  packageType: string,
): Artifact[] {
  const { needed = null, others: all = [] } = FORMS[platform] ?? {}
  const others = all.filter(({ kinds }) => packageType === '' || kinds.includes(packageType))
  const own = artifactsFor(artifacts, platform, arch)
  const first = needed === null ? [] : ofForm(own, needed)
  return needed !== null && first.length === 0
    ? []
    : [...first, ...others.flatMap((form) => ofForm(own, form))]
}

/** The highest floor, as a feed has one for all files. Kernels too are compared number by number (electron-updater 6.8). */
export function highestFloor(files: readonly Artifact[]): string | undefined {
  const floors = files.flatMap(({ minimumSystemVersion: floor }) =>
    floor === undefined ? [] : [floor],
  )
  return floors.toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }))[0]
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
