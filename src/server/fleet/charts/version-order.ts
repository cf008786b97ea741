import { OTHER } from '../../../shared/devices/counting.ts'
import { compareVersions, parseVersion } from '../../rules/decision/version.ts'

/** Orders the versions of profiles: `OTHER` is the lowest. */
export function compareRunning(a: string, b: string): number {
  if (a === OTHER || b === OTHER) return Number(b === OTHER) - Number(a === OTHER)
  return compareVersions(parseVersion(a), parseVersion(b))
}
