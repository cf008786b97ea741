import { RolloutPct } from '../../shared/release.ts'
import { validNumber } from './valid.ts'

const read = validNumber(RolloutPct)

/** Reads a percentage from 0 to 100, with or without its sign. */
export function percentage(typed: string): number {
  return read(typed.replace(/%$/, ''))
}
