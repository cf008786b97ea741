import type { CSSProperties } from 'react'
import { VERSION_COLORS, type VersionColors } from '../../../shared/console/fleet.ts'

/** Lightness (0 to 1) and chroma of a color; the hue is that of both themes. */
type Tone = readonly [lightness: number, chroma: number]

interface Swatch {
  /** Degrees in OKLCH. */
  readonly hue: number
  readonly light: Tone
  readonly dark: Tone
}

/**
 * One color for each index that the server assigns. They differ in lightness as much as in hue, so that they can be
 * told apart without one kind of cones too, and none is that of a status.
 */
export const PALETTE: readonly Swatch[] = [
  { hue: 195, light: [0.64, 0.095], dark: [0.726, 0.098] },
  { hue: 89, light: [0.356, 0.07], dark: [0.713, 0.141] },
  { hue: 303, light: [0.504, 0.162], dark: [0.658, 0.145] },
  { hue: 120, light: [0.654, 0.08], dark: [0.578, 0.134] },
  { hue: 223, light: [0.49, 0.066], dark: [0.927, 0.032] },
  { hue: 345, light: [0.36, 0.142], dark: [0.621, 0.112] },
  { hue: 46, light: [0.566, 0.147], dark: [0.86, 0.048] },
  { hue: 281, light: [0.588, 0.108], dark: [0.836, 0.058] },
  { hue: 18, light: [0.432, 0.066], dark: [0.702, 0.145] },
  { hue: 261, light: [0.37, 0.129], dark: [0.567, 0.219] },
]

/** What has no color of its own: versions that are counted together, or are still loading. */
export const NEUTRAL: Swatch = { hue: 230, light: [0.76, 0.012], dark: [0.49, 0.02] }

/** Returns the index of a version that was never published here, from its text; another may have the same. */
export function colorOfUnpublished(version: string): number {
  // FNV-1a, then the finalizer of MurmurHash3, so that versions next to each other get different ones.
  let hash = 0x811c9dc5
  for (let index = 0; index < version.length; index += 1) {
    hash = Math.imul(hash ^ version.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) % VERSION_COLORS
}

/**
 * Returns the index of a version of an app whose published versions have these. A device may report a version without
 * its build metadata (`2.1.0` runs `2.1.0+7`): then it has the color of the last of those releases.
 */
export function colorIn(colors: VersionColors, version: string): number {
  const known = Object.hasOwn(colors, version)
    ? version
    : Object.keys(colors).findLast((published) => published.startsWith(`${version}+`))
  return (known === undefined ? undefined : colors[known]) ?? colorOfUnpublished(version)
}

/** Returns the color of areas, bars and dots as CSS. `NEUTRAL` for undefined. */
export function markColor(color: number | undefined): string {
  const { hue, light, dark } = swatchOf(color)
  return `light-dark(${oklch(light, hue)}, ${oklch(dark, hue)})`
}

/** Returns the custom properties from which a badge makes its colors. */
export function badgeColors(color: number | undefined): CSSProperties {
  return {
    '--hue': swatchOf(color).hue,
    '--tinted': color === undefined ? 0 : 1,
    '--mark': markColor(color),
  }
}

function swatchOf(color: number | undefined): Swatch {
  return (color === undefined ? undefined : PALETTE[color]) ?? NEUTRAL
}

function oklch([lightness, chroma]: Tone, hue: number): string {
  return `oklch(${lightness} ${chroma} ${hue})`
}
