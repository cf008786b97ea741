import { versionHue } from '../components/version-hue.ts'

/** The colour of a version's area: the hue of its badge, legible on both themes. */
export function bandColour(version: string | null): string {
  if (version === null) return 'light-dark(#a9b3b9, #56626a)'
  const hue = versionHue(version)
  return `light-dark(oklch(70% 0.12 ${hue}), oklch(62% 0.12 ${hue}))`
}
