import { hash } from 'node:crypto'

/**
 * Where a device stands in the rollout of a release: a number from 0 to below 1, the same for
 * ever, even over all devices, and independent between releases. It is the first 32 bits of
 * SHA-256 of `<releaseId>:<deviceId>`, divided by 2^32.
 */
export function cohortBucket(releaseId: string, deviceId: string): number {
  // A digest in hex costs a third of one in a Buffer.
  const digest = hash('sha256', `${releaseId}:${deviceId}`, 'hex')
  return Number.parseInt(digest.slice(0, 8), 16) / 2 ** 32
}

/** Returns whether a device is in a rollout of `rolloutPct` percent, and stays in as it grows. Without an id, only at 100. */
export function inCohort(releaseId: string, deviceId: string | null, rolloutPct: number): boolean {
  if (rolloutPct >= 100) return true
  if (rolloutPct <= 0 || deviceId === null) return false
  return cohortBucket(releaseId, deviceId) < rolloutPct / 100
}
