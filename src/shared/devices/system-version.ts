import { canonicalPlatform } from './aliases.ts'

type Numbers = readonly [number, number, number]

/** The versions that a text can stand for: it leaves numbers out, or names a kernel of several of them. */
interface SystemVersions {
  readonly lowest: Numbers
  readonly highest: Numbers
}

/** Longest text that is read, in UTF-16 units. */
const MAX_LENGTH = 64

/** A name of the system, if there is one, and up to three numbers. What follows them says nothing here. */
const VERSION = /^(?:([a-z]+)[ /_-]?)?(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?:[.+ _-].*)?$/i

/**
 * Returns whether a device on the canonical platform that runs `system` is below the floor `floor`: whether none of the
 * versions that `system` can stand for reaches the lowest that `floor` can. False if one of them cannot be read. Ordered as in docs/api.md, "Operating-system floors".
 */
export function isBelowFloor(platform: string, floor: string, system: string): boolean {
  const [needed, running] = [readSystem(platform, floor), readSystem(platform, system)]
  if (needed === undefined || running === undefined) return false
  return isLower(running.highest, needed.lowest)
}

/** Returns whether a text is a version of the platform's system that can be compared. */
export function isSystemVersion(platform: string, text: string): boolean {
  return readSystem(canonicalPlatform(platform), text) !== undefined
}

/**
 * Returns the lowest version that a text can stand for, in three numbers; of macOS for a Darwin kernel. Undefined if it cannot
 * be read.
 */
export function lowestSystem(platform: string, text: string): string | undefined {
  return readSystem(platform, text)?.lowest.join('.')
}

function readSystem(platform: string, text: string): SystemVersions | undefined {
  const [, name = '', ...given] = (text.length <= MAX_LENGTH && VERSION.exec(text)) || []
  const [major, minor, patch] = given.map((each) => (each === undefined ? undefined : Number(each)))
  if (major === undefined || (name !== '' && canonicalPlatform(name) !== platform)) return undefined
  switch (platform) {
    case 'darwin':
      return isKernel(name, major) ? macosOf(major, minor) : macos(major, minor, patch)
    case 'windows':
      return windows(major, minor, patch)
    default:
      return from(major, minor, patch)
  }
}

/** Every version that begins with the numbers. */
function from(...[major, minor, patch]: readonly [number, number?, number?]): SystemVersions {
  return {
    lowest: [major, minor ?? 0, patch ?? 0],
    highest: [major, minor ?? Infinity, patch ?? Infinity],
  }
}

/** There is no macOS 16 to 25. From 26 on, a number alone is that of a kernel, as `os.release()` of Node names it. */
function isKernel(name: string, major: number): boolean {
  return name === '' ? major >= 16 : name.toLowerCase() === 'darwin'
}

/** An app that was built for 10.15 or earlier sees 10.16 on every later system, and compares it with a floor of 10.16. */
function macos(major: number, minor?: number, patch?: number): SystemVersions {
  const all = from(major, minor, patch)
  return major === 10 && minor === 16 ? { ...all, highest: [Infinity, 0, 0] } : all
}

/** The versions of macOS with a Darwin kernel. Their minor numbers are the same but for one in 20 to 22, up to 6. */
function macosOf(kernel: number, minor?: number): SystemVersions {
  if (kernel < 20) return from(10, Math.max(kernel - 4, 0))
  const major = kernel < 25 ? kernel - 9 : kernel + 1
  if (minor === undefined) return from(major)
  const first = Math.max(kernel < 23 ? minor - 1 : minor, 0)
  return minor < 6 ? from(major, first) : { ...from(major), lowest: [major, first, 0] }
}

/** The first build of Windows 11; its version is 10.0. */
const WINDOWS_11 = 22_000
/** The numbers of earlier ones, by their names. */
const KERNELS: Readonly<Record<string, readonly [number, number]>> = {
  '7': [6, 1],
  '8': [6, 2],
  '8.0': [6, 2],
  '8.1': [6, 3],
}

function windows(major: number, minor?: number, patch?: number): SystemVersions | undefined {
  // A build alone.
  if (major >= 10_000) return from(10, 0, major)
  if (major > 11) return undefined
  const kernel = KERNELS[minor === undefined ? major : `${major}.${minor}`]
  if (kernel !== undefined) return from(...kernel)
  if (major === 11) {
    return patch === undefined
      ? { lowest: [10, 0, WINDOWS_11], highest: from(10, 0).highest }
      : from(10, 0, patch)
  }
  if (major === 10 && minor === undefined) {
    return { lowest: [10, 0, 0], highest: [10, 0, WINDOWS_11 - 1] }
  }
  return from(major, minor, patch)
}

function isLower(one: Numbers, other: Numbers): boolean {
  const at = one.findIndex((each, index) => each !== other[index])
  return at >= 0 && (one[at] ?? 0) < (other[at] ?? 0)
}
