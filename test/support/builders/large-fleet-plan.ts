// What a large fleet consists of, by the number of a device, 1 to `devices`: whoever looks at it
// can say what there must be. The statements of large-fleet.ts say the same in SQL.

/** The app that all devices belong to. */
export const LARGE_APP = 'editor'

export const CHANNELS = ['stable', 'beta', 'nightly'] as const
export const VERSIONS = Array.from({ length: 30 }, (_, minor) => `1.${minor}.0`)
export const PLATFORMS = [
  ['linux', 'x86_64'],
  ['linux', 'aarch64'],
  ['linux', 'armv7'],
  ['darwin', 'x86_64'],
  ['darwin', 'aarch64'],
  ['windows', 'x86_64'],
  ['windows', 'aarch64'],
  ['windows', 'i686'],
] as const

export const PROFILE_COUNT = CHANNELS.length * VERSIONS.length * PLATFORMS.length

/** Every device was last seen in this time, and first seen in the 60 days before. Milliseconds. */
export const SEEN_WITHIN = 30 * 86_400_000
export const CAME_WITHIN = 60 * 86_400_000

/** Primes that divide neither: devices and profiles are in no order of the numbers. */
export const SHUFFLE = 48_271
export const PROFILE_SHUFFLE = 7_919
export const ID_SHUFFLE = 2_654_435_761

export interface LargeFleet {
  readonly devices: number
  /** When the newest check-in was: Unix milliseconds. */
  readonly end: number
}

/** The id of a device: its first part is in no order of the numbers. */
export function largeDeviceId(device: number): string {
  const first = (Math.imul(device, ID_SHUFFLE) >>> 0).toString(16).padStart(8, '0')
  return `${first}-0000-4000-8000-${device.toString(16).padStart(12, '0')}`
}

/** What a device runs, by its last check-in. */
export function largeProfile(device: number) {
  const place = (device * PROFILE_SHUFFLE) % PROFILE_COUNT
  const [platform = '', arch = ''] = PLATFORMS[place % PLATFORMS.length] ?? []
  const version = VERSIONS[Math.floor(place / PLATFORMS.length) % VERSIONS.length] ?? ''
  const channel = CHANNELS[Math.floor(place / PLATFORMS.length / VERSIONS.length)] ?? 'stable'
  return { id: place + 1, channel, version, platform, arch }
}

/** How many devices were seen after the device: each another number. */
export function seenAfter(device: number, { devices }: LargeFleet): number {
  return (device * SHUFFLE) % devices
}

/** When the device was last seen: Unix milliseconds, no two alike. */
export function largeLastSeen(device: number, fleet: LargeFleet): number {
  return fleet.end - seenAfter(device, fleet) * Math.floor(SEEN_WITHIN / fleet.devices)
}
