import { ANY_ARCH, canonicalArch, isKnownArch, usualKinds } from '../aliases.ts'
import { fileNameOf } from './address.ts'
import { guessArch, guessTarget } from './guess.ts'

/** Devices and bundle that a key of `platforms` means. */
export interface TauriTarget {
  readonly platform: string
  readonly arch: string
  /** Empty if the key names none. */
  readonly kind: string
  /** The arch, if neither key nor file name has it; else empty. */
  readonly assumedArch: string
}

/** Systems in keys, and the arch that two of them imply. Apps can set a target of their own beside those of the plugin. */
const SYSTEMS: Readonly<Record<string, readonly [platform: string, arch?: string]>> = {
  linux: ['linux'],
  linux64: ['linux', 'x86_64'],
  darwin: ['darwin'],
  macos: ['darwin'],
  mac: ['darwin'],
  windows: ['windows'],
  win: ['windows'],
  win64: ['windows', 'x86_64'],
}

/** The bundles that the plugin names in keys. */
const BUNDLES: readonly string[] = ['app', 'appimage', 'deb', 'rpm', 'msi', 'nsis']
/** Other endings that people put into keys. The name of the file says which bundle that is. */
const ENDINGS: readonly string[] = ['exe', 'tgz', 'targz', 'gz', 'zip', 'dmg', 'pkg', 'archive']

/**
 * Reads a key of `platforms`: `os-arch`, since Tauri 2.10 also `os-arch-bundle`, and what apps with a target of their own
 * use, such as `macos-aarch64-tgz` or `win64`. Returns undefined if its system is unknown.
 */
export function readTauriTarget(key: string, url: string): TauriTarget | undefined {
  const [system = '', ...rest] = key.toLowerCase().split('-')
  const known = SYSTEMS[system]
  if (known === undefined || rest.length > 2 || rest.some((part) => !/^\w+$/.test(part))) {
    return undefined
  }
  const [platform, implied] = known
  const file = fileNameOf(url)
  const namesArch = rest.length === 2 || (rest.length === 1 && !isBundle(rest[0] ?? ''))
  const named = (namesArch ? rest[0] : implied) ?? guessArch(file, platform)
  const assumedArch = named === '' ? (platform === 'darwin' ? ANY_ARCH : 'x86_64') : ''
  const arch = named || assumedArch
  return {
    ...{ platform, assumedArch },
    arch: isKnownArch(arch) && canonicalArch(arch) === ANY_ARCH ? ANY_ARCH : arch,
    kind: kindOf(rest.slice(namesArch ? 1 : 0)[0], file),
  }
}

function isBundle(part: string): boolean {
  return BUNDLES.includes(part) || ENDINGS.includes(part)
}

function kindOf(part: string | undefined, file: string): string {
  if (part === undefined || BUNDLES.includes(part)) return part ?? ''
  return guessTarget(file).kind || (part === 'exe' ? 'nsis' : part)
}

/** An entry of `platforms`, as far as its bundle goes. */
type Entry = Pick<TauriTarget, 'platform' | 'arch' | 'kind'> & { readonly url: string }

/**
 * Returns the kind of an entry: where its key names none, that of its file, unless devices that name no bundle would then
 * get another one. The plugin installs either bundle on Windows; on Linux, it refuses all but that of the device.
 */
export function kindOfEntry(entry: Entry, all: readonly Entry[]): string {
  const { platform, arch, kind, url } = entry
  if (kind !== '' || platform === 'windows') return kind
  const own = guessTarget(fileNameOf(url)).kind
  const others = all.filter(
    (other) => other !== entry && other.platform === platform && other.arch === arch,
  )
  const isUsual = usualKinds(platform)[0] === own
  const isTaken = others.some((other) => other.kind === own)
  return !isTaken && (isUsual || others.length === 0) ? own : ''
}
