/** Hues that are told apart at a glance; two versions have the same one, or clearly another. */
const STEPS = 18

/** Angle on the colour wheel that a version has everywhere, derived from its text. */
export function versionHue(version: string): number {
  // FNV-1a, then the finaliser of MurmurHash3: neighbouring versions land far apart.
  let hash = 0x811c9dc5
  for (let index = 0; index < version.length; index += 1) {
    hash = Math.imul(hash ^ version.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (((hash ^ (hash >>> 16)) >>> 0) % STEPS) * (360 / STEPS)
}
