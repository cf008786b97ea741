import { canonicalPlatform } from '../aliases.ts'
import { lowestSystem } from '../system-version.ts'

const NAMES: Readonly<Record<string, string>> = {
  darwin: 'macOS',
  windows: 'Windows',
  linux: 'Linux',
}

/** Returns a version of an operating system with its name, such as `macOS 14.4`, also where it is written as a Darwin kernel. */
export function systemInWords(platform: string, version: string): string {
  const canonical = canonicalPlatform(platform)
  const bare = version.replace(/^[a-z]+[ /_-]?(?=\d)/i, '')
  const lowest = canonical === 'darwin' ? lowestSystem(canonical, version) : undefined
  return `${NAMES[canonical] ?? platform} ${lowest?.replace(/(?:\.0)+$/, '') ?? bare}`
}
