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
 * told apart without one kind of cones too, and none is that of a status.
 */
export const PALETTE: readonly Swatch[] = [
  { hue: 195, light: [0.644, 0.093], dark: [0.665, 0.095] },
  { hue: 91, light: [0.302, 0.039], dark: [0.705, 0.138] },
  { hue: 301, light: [0.497, 0.229], dark: [0.663, 0.143] },
  { hue: 121, light: [0.654, 0.088], dark: [0.574, 0.13] },
  { hue: 237, light: [0.472, 0.085], dark: [0.874, 0.051] },
  { hue: 324, light: [0.2, 0.062], dark: [0.565, 0.149] },
  { hue: 49, light: [0.567, 0.149], dark: [0.861, 0.082] },
  { hue: 281, light: [0.597, 0.142], dark: [0.744, 0.088] },
  { hue: 15, light: [0.464, 0.107], dark: [0.657, 0.167] },
  { hue: 261, light: [0.373, 0.117], dark: [0.562, 0.216] },
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
