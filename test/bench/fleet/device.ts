/** The platform and arch of every device: one pair, so that all replies have one length. */
export const PLATFORM = 'linux'
export const ARCH = 'x86_64'

/** The label of every fourth device of a seeded pool. */
export const LABEL = { key: 'ring', value: 'beta' }

/** The id of the device with this index: a UUID, the same in every run. */
export function deviceId(index: number): string {
  const a = hex(index)
  const b = hex(index ^ 0x5bd1e995)
  const c = hex(index ^ 0x2c1b3c6d)
  return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-a${c.slice(1, 4)}-${c.slice(4)}${a}`
}

/** Returns the version of a device, `1.0.0` to `1.9.0`: half of all devices run one below `1.5.0`. */
export function deviceVersion(index: number): string {
  return `1.${index % 10}.0`
}

/** Returns whether the device with this index has the label. */
export function isLabelled(index: number): boolean {
  return index % 4 === 0
}

// A bijection of 32-bit integers (the finaliser of MurmurHash3), so that ids never collide.
function hex(value: number): string {
  let hash = value
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0).toString(16).padStart(8, '0')
}
