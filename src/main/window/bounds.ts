import type { Rectangle } from 'electron'

/** A rectangle on the screen, in device-independent pixels. */
export type Bounds = Readonly<Rectangle>

export const MIN_WIDTH = 900
export const MIN_HEIGHT = 600
const WIDTH = 1_280
const HEIGHT = 800

/**
 * Returns where a window opens: at its remembered bounds, moved and shrunk to fit the display that shows
 * most of it; centered on the first display if no display shows any of it, or nothing is remembered.
 * `displays` are the work areas, the primary one first.
 */
export function placeWindow(remembered: Bounds | undefined, displays: readonly Bounds[]): Bounds {
  const [primary] = displays
  const { width = WIDTH, height = HEIGHT } = remembered ?? {}
  if (primary === undefined) return { x: 0, y: 0, width, height }
  const [display] = displays
    .filter((area) => remembered !== undefined && overlap(remembered, area) > 0)
    .sort((a, b) => overlap(remembered ?? a, b) - overlap(remembered ?? a, a))
  if (remembered === undefined || display === undefined) return centre(width, height, primary)
  const size = fitted(width, height, display)
  return {
    ...size,
    x: clamp(remembered.x, display.x, display.x + display.width - size.width),
    y: clamp(remembered.y, display.y, display.y + display.height - size.height),
  }
}

function centre(width: number, height: number, display: Bounds): Bounds {
  const size = fitted(width, height, display)
  return {
    ...size,
    x: display.x + Math.round((display.width - size.width) / 2),
    y: display.y + Math.round((display.height - size.height) / 2),
  }
}

/** No larger than the display, and otherwise no smaller than the console can be used. */
function fitted(width: number, height: number, display: Bounds) {
  return {
    width: Math.min(Math.max(width, MIN_WIDTH), display.width),
    height: Math.min(Math.max(height, MIN_HEIGHT), display.height),
  }
}

function overlap(a: Bounds, b: Bounds): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return Math.max(width, 0) * Math.max(height, 0)
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high)
}
