import { kindOfFile } from './file-name.ts'

/** Platform, arch and bundle kind as detected from a file name; empty if the name does not say. */
export interface TargetGuess {
  readonly platform: string
  readonly arch: string
  readonly kind: string
}

type Rule = readonly [pattern: RegExp, name: string]

// A word of a file name ends where the name does, or at one of these.
const word = (names: string) => new RegExp(`(?:^|[-_. ])(?:${names})(?=$|[-_. ])`, 'i')

const PLATFORM_WORDS: readonly Rule[] = [
  [word('darwin|macos|mac|osx'), 'darwin'],
  [word('windows|win32|win64|win|pc-windows-msvc|setup|nsis'), 'windows'],
  [word('linux'), 'linux'],
]

const PLATFORM_ENDINGS: readonly Rule[] = [
  [/\.(?:dmg|pkg|app\.tar\.gz|app\.zip)$/i, 'darwin'],
  [/\.(?:exe|msi|msix|appx|nsis\.zip|msi\.zip)$/i, 'windows'],
  [/\.(?:appimage|appimage\.tar\.gz|deb|rpm|snap|flatpak|pacman)$/i, 'linux'],
]

const ARCHES: readonly Rule[] = [
  [word('x86_64|x86-64|x64|amd64|win64|linux64'), 'x86_64'],
  [word('aarch64|arm64'), 'aarch64'],
  [word('armv7(?:l|hl|a)?|armhf'), 'armv7'],
  [word('armv6l?|armel'), 'armv6'],
  [word('i[36]86|ia32|x86'), 'i686'],
  [word('riscv64'), 'riscv64'],
  [word('loong64|loongarch64'), 'loong64'],
  [word('universal2?'), 'any'],
]

// After a version or a system: apps are called Arm, too.
const ARM = /(?:\d.*|linux|mac|macos|darwin|win|windows)[-_. ]arm(?=$|[-_. ])/i

// An .exe is an NSIS installer where its name says so: Tauri and electron-builder call theirs setup.
const KINDS: readonly Rule[] = [
  [/\.app\.(?:tar\.gz|zip)$/i, 'app'],
  [/\.appimage(?:\.tar\.gz)?$/i, 'appimage'],
  [/\.nsis\.zip$/i, 'nsis'],
  [/\.msi(?:\.zip)?$/i, 'msi'],
  [/-delta\.nupkg$/i, 'delta'],
  [/\bsetup\b.*\.exe$|_setup.*\.exe$|[-_. ]nsis[-_. ].*exe$/i, 'nsis'],
  ...['deb', 'rpm', 'dmg', 'zip', 'pkg', 'msix', 'appx', 'snap', 'flatpak', 'pacman', 'nupkg'].map(
    (kind) => [new RegExp(`\\.${kind}$`, 'i'), kind] as const,
  ),
]

/**
 * Guesses for which platform and arch a built file is, and what kind of bundle, from its name alone. An ending such
 * as `.dmg` says more than a word.
 */
export function guessTarget(fileName: string): TargetGuess {
  const platform = firstMatch(PLATFORM_ENDINGS, fileName) || firstMatch(PLATFORM_WORDS, fileName)
  return { platform, arch: guessArch(fileName, platform), kind: firstMatch(KINDS, fileName) }
}

/**
 * Guesses for which arch a file for a canonical platform is, from its name alone; empty if that does not say. `arm` alone
 * is the 32-bit one on Linux, as Node and electron-builder name it; Windows and macOS have none.
 */
export function guessArch(fileName: string, platform: string): string {
  const found = firstMatch(ARCHES, fileName)
  if (found !== '' || platform === '' || !ARM.test(fileName)) return found
  return platform === 'linux' ? 'armv7' : 'aarch64'
}

/** Guesses how people call an app from the name of one of its files: what stands before version, platform and arch. */
export function guessAppName(fileName: string): string {
  const stem = fileName.slice(0, fileName.length - kindOfFile(fileName).length)
  const others = [/[-_. ]v?\d+\.\d/, ...[...PLATFORM_WORDS, ...ARCHES].map(([pattern]) => pattern)]
  const ends = others.map((pattern) => stem.search(pattern)).filter((at) => at >= 0)
  return stem
    .slice(0, Math.min(stem.length, ...ends))
    .replaceAll(/[-_. ]+/g, ' ')
    .trim()
}

function firstMatch(rules: readonly Rule[], text: string): string {
  return rules.find(([pattern]) => pattern.test(text))?.[1] ?? ''
}
