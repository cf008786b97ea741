import type { CSSProperties } from 'react'
import { VERSION_COLORS } from '../../../shared/console/fleet.ts'

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
 * told apart without one kind of cones too; colors next to each other in this list differ most.
 */
export const PALETTE: readonly Swatch[] = [
  { hue: 188, light: [0.637, 0.106], dark: [0.72, 0.11] },
  { hue: 89, light: [0.37, 0.07], dark: [0.775, 0.134] },
  { hue: 301, light: [0.494, 0.155], dark: [0.692, 0.133] },
  { hue: 116, light: [0.664, 0.093], dark: [0.579, 0.113] },
  { hue: 212, light: [0.508, 0.07], dark: [0.88, 0.077] },
  { hue: 347, light: [0.37, 0.151], dark: [0.616, 0.088] },
  { hue: 66, light: [0.572, 0.112], dark: [0.88, 0.083] },
  { hue: 279, light: [0.596, 0.102], dark: [0.8, 0.093] },
  { hue: 31, light: [0.471, 0.077], dark: [0.708, 0.122] },
  { hue: 254, light: [0.37, 0.108], dark: [0.56, 0.14] },
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
