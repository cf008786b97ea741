/** Angle on the colour wheel that a version has everywhere, derived from its text (FNV-1a). */
export function versionHue(version: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < version.length; index += 1) {
    hash = Math.imul(hash ^ version.charCodeAt(index), 0x01000193) >>> 0
  }
  // Neighbouring versions land far apart when the angle is spread over the whole 32 bits.
  return Math.floor((Math.imul(hash, 0x9e3779b1) >>> 0) / (2 ** 32 / 360))
}
