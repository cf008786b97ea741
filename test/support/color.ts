/** Parts of light in linear sRGB, 0 to 1 where a screen can show it. */
export type Rgb = readonly [red: number, green: number, blue: number]

export const VISIONS = ['full', 'protanope', 'deuteranope', 'tritanope'] as const
export type Vision = (typeof VISIONS)[number]

type Matrix = readonly [Rgb, Rgb, Rgb]

/** Machado, Oliveira and Fernandes 2009, severity 1, for linear sRGB. */
const LACKING: Readonly<Record<Exclude<Vision, 'full'>, Matrix>> = {
  protanope: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranope: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanope: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

/** Returns a color as someone with that vision sees it. */
export function seenBy(color: Rgb, vision: Vision): Rgb {
  if (vision === 'full') return color
  const [red, green, blue] = times(LACKING[vision], color)
  return [shown(red), shown(green), shown(blue)]
}

/** Returns the distance of two colors in Oklab, where 1 is that of black and white. */
export function distance(one: Rgb, other: Rgb): number {
  const [a, b] = [oklab(one), oklab(other)]
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
}

/** Returns the contrast of two colors as WCAG defines it, 1 to 21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [low, high] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return ((high ?? 0) + 0.05) / ((low ?? 0) + 0.05)
}

/** Returns a color in OKLCH (lightness 0 to 1, chroma, degrees) as linear sRGB. */
export function fromOklch([lightness, chroma, hue]: readonly [number, number, number]): Rgb {
  const angle = (hue * Math.PI) / 180
  const [a, b] = [chroma * Math.cos(angle), chroma * Math.sin(angle)]
  const cones: Rgb = [
    (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3,
    (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3,
    (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3,
  ]
  return times(
    [
      [4.0767416621, -3.3077115913, 0.2309699292],
      [-1.2684380046, 2.6097574011, -0.3413193965],
      [-0.0041960863, -0.7034186147, 1.707614701],
    ],
    cones,
  )
}

function oklab(color: Rgb): Rgb {
  const [long, medium, short] = times(
    [
      [0.4122214708, 0.5363325363, 0.0514459929],
      [0.2119034982, 0.6806995451, 0.1073969566],
      [0.0883024619, 0.2817188376, 0.6299787005],
    ],
    color,
  )
  return times(
    [
      [0.2104542553, 0.793617785, -0.0040720468],
      [1.9779984951, -2.428592205, 0.4505937099],
      [0.0259040371, 0.7827717662, -0.808675766],
    ],
    [Math.cbrt(long), Math.cbrt(medium), Math.cbrt(short)],
  )
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function shown(part: number): number {
  return Math.min(1, Math.max(0, part))
}

function times([first, second, third]: Matrix, [x, y, z]: Rgb): Rgb {
  const row = ([a, b, c]: Rgb) => a * x + b * y + c * z
  return [row(first), row(second), row(third)]
}
