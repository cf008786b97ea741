import { canonicalPlatform } from '../devices/aliases.ts'
import { lowestSystem } from '../devices/system-version.ts'

const NAMES: Readonly<Record<string, string>> = {
  darwin: 'macOS',
  windows: 'Windows',
  linux: 'Linux',
}

/**
 * Returns a version of an operating system with its name, such as `macOS 14.4`, also where it is written as a Darwin kernel. As it
 * is written for a platform that is not known, and for what cannot be read.
 */
export function systemInWords(platform: string, version: string): string {
  const canonical = canonicalPlatform(platform)
  const lowest = lowestSystem(canonical, version)
  const name = NAMES[canonical]
  if (name === undefined || lowest === undefined) return version
  const bare = version.replace(/^[a-z]+[ /_-]?(?=\d)/i, '')
  return `${name} ${canonical === 'darwin' ? lowest.replace(/(?:\.0)+$/, '') : bare}`
}
