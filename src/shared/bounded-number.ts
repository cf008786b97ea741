import { z } from 'zod'
import type { NumberBounds } from './server-numbers.ts'

/** Returns the schema of a whole number between its bounds. */
export function boundedNumber({ min, max }: NumberBounds) {
  const issue = `must be ${min} to ${max}`
  return z.int('must be a whole number').min(min, issue).max(max, issue)
}

/** Returns the schema of a setting of the server: only as bounded as it is there, and with its default. */
export function serverNumber(bounds: NumberBounds) {
  const { min, unbounded = false, default: preset } = bounds
  const number = unbounded
    ? z.int('must be a whole number').min(min, 'must not be negative')
    : boundedNumber(bounds)
  return number.default(preset)
}
