import { versionHue } from '../components/version-hue.ts'

/** The colour of a version's area: that of the dot in its badge. */
export function bandColour(version: string | null): string {
  if (version === null) return 'light-dark(#a9b3b9, #56626a)'
  const hue = versionHue(version)
  return `light-dark(oklch(58% 0.14 ${hue}), oklch(74% 0.13 ${hue}))`
}
