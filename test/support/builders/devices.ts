import { createHash } from 'node:crypto'

/** The device that tests check with where any would do. */
export const DEVICE = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff'

/** A device of a fleet call. */
export function item(deviceId: string, members: Readonly<Record<string, unknown>> = {}) {
  return { deviceId, version: '1.0.0', platform: 'darwin', arch: 'aarch64', ...members }
}

/** Where a device stands in a rollout, by the rule as it is written down. */
export function bucketOf(releaseId: string, deviceId: string): number {
  const digest = createHash('sha256').update(`${releaseId}:${deviceId}`).digest()
  return digest.readUInt32BE(0) / 2 ** 32
}

/** A device whose bucket in that release lies in the range, `to` excluded. */
export function deviceWithin(releaseId: string, from: number, to: number): string {
  for (let number = 0; ; number++) {
    const device = `device-${number}`
    const bucket = bucketOf(releaseId, device)
    if (bucket >= from && bucket < to) return device
  }
}
