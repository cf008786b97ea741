import fc from 'fast-check'
import { expect, it } from 'vitest'
import { placeWindow } from '../../../src/main/window/bounds.ts'

const left = { x: 0, y: 25, width: 1920, height: 1055 }
const right = { x: 1920, y: 0, width: 2560, height: 1440 }

it('opens in the middle of the first display at first', () => {
  expect(placeWindow(undefined, [left, right])).toEqual({
    x: 320,
    y: 153,
    width: 1280,
    height: 800,
  })
})

it('opens at its last position', () => {
  const bounds = { x: 2000, y: 100, width: 1300, height: 900 }
  expect(placeWindow(bounds, [left, right])).toEqual(bounds)
})

it('comes back from a display that is gone', () => {
  const bounds = { x: 2000, y: 100, width: 1300, height: 900 }
  expect(placeWindow(bounds, [left])).toEqual({ x: 310, y: 103, width: 1300, height: 900 })
})

it('is moved onto the display that shows most of it', () => {
  const bounds = { x: 1800, y: -300, width: 1300, height: 900 }
  expect(placeWindow(bounds, [left, right])).toEqual({ ...bounds, x: 1920, y: 0 })
})

it('is always wholly on one of the displays', () => {
  const size = fc.integer({ min: 1, max: 8_000 })
  const place = fc.integer({ min: -9_000, max: 9_000 })
  const rectangle = fc.record({ x: place, y: place, width: size, height: size })
  fc.assert(
    fc.property(rectangle, fc.array(rectangle, { minLength: 1, maxLength: 3 }), (was, displays) => {
      const now = placeWindow(was, displays)
      const holds = displays.some(
        (area) =>
          now.x >= area.x &&
          now.y >= area.y &&
          now.x + now.width <= area.x + area.width &&
          now.y + now.height <= area.y + area.height,
      )
      expect(holds).toBe(true)
    }),
  )
})
