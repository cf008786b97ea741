import { OTHER } from '../../shared/other.ts'
import { compareVersions, parseVersion } from '../decision/version.ts'

/** Orders versions as profiles have them: those that are counted by themselves above `OTHER`. */
export function compareRunning(a: string, b: string): number {
  if (a === OTHER || b === OTHER) return Number(b === OTHER) - Number(a === OTHER)
  return compareVersions(parseVersion(a), parseVersion(b))
}
