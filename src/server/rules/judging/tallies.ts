import { NO_HEALTH, type ReleaseHealth } from '../../../shared/health/health.ts'
import type { Observed } from './counted.ts'

/** Devices of one network, by what became of them. Several networks share a number. */
export interface NetworkTally {
  readonly network: number
  /** Silent ones included: by network, nobody knows which these are. */
  readonly waiting: number
  readonly adopted: number
  readonly stuck: number
  readonly reverted: number
  readonly reported: number
  /** See `Observed`; these devices are also in one of the others. */
  readonly recovered: number
  readonly slow: number
}

/** What is observed of the devices of one weight. Those that are in no network are of none that is known. */
export interface WeighedTally extends Observed {
  readonly networks: readonly NetworkTally[]
}

/** What is observed of a release, by what its devices weigh. Without a key, anyone can invent `fresh` ones. */
export interface WeighedTallies {
  readonly fresh: WeighedTally
  readonly known: WeighedTally
  readonly longKnown: WeighedTally
  readonly keyed: WeighedTally
}

const STATES = ['adopted', 'stuck', 'reverted', 'reported', 'recovered', 'slow'] as const
/** Devices by state; not whole numbers where networks count in proportion. */
export type Totals = Record<(typeof STATES)[number] | 'waiting' | 'silent' | 'late', number>
type Sums = { -readonly [Member in keyof NetworkTally]: NetworkTally[Member] }

/** Returns the devices of each network that has any, whatever they weigh. */
export function mergedNetworks(tallies: readonly WeighedTally[]): readonly NetworkTally[] {
  const merged = new Map<number, NetworkTally>()
  for (const tally of tallies.flatMap(({ networks }) => networks)) {
    const before = merged.get(tally.network)
    if (before === undefined) merged.set(tally.network, tally)
    else {
      const sum: Sums = { ...tally, waiting: before.waiting + tally.waiting }
      for (const state of STATES) sum[state] += before[state]
      merged.set(tally.network, sum)
    }
  }
  return [...merged.values()].filter((tally) => sizeOf(tally) > 0)
}

export function totalsOf(tallies: readonly Observed[]): Totals {
  const sum = (each: (tally: Observed) => number) =>
    tallies.reduce((total, tally) => total + each(tally), 0)
  return {
    waiting: sum(({ health }) => health.waiting),
    silent: sum(({ health }) => health.silent),
    adopted: sum(({ health }) => health.adopted),
    stuck: sum(({ health }) => health.stuck),
    reverted: sum(({ health }) => health.reverted),
    reported: sum(({ health }) => health.reported),
    recovered: sum(({ recovered }) => recovered),
    slow: sum(({ slow }) => slow),
    late: sum(({ late }) => late),
  }
}

/** Of those that wait, silent and late ones are left out first: a network that is left out may be why there are any. */
export function subtract(totals: Totals, { waiting, ...tally }: NetworkTally): void {
  for (const state of STATES) totals[state] = Math.max(0, totals[state] - tally[state])
  const silent = Math.min(totals.silent, waiting)
  totals.silent -= silent
  totals.waiting = Math.max(0, totals.waiting - (waiting - silent))
  totals.late -= Math.min(totals.late, waiting - silent)
}

export function scaled(network: NetworkTally, share: number): NetworkTally {
  const tally: Sums = { ...network, waiting: network.waiting * share }
  for (const state of STATES) tally[state] *= share
  return tally
}

/** Sums of shares of networks are off by far less than this part of a device. */
const EXACT = 1e6

/** Not rounded to whole devices: then one that fails more could make another one count less. */
export function observedOf(totals: Totals): Observed {
  const exact = (devices: number) => Math.round(devices * EXACT) / EXACT
  return mapped(totals, exact)
}

/** Returns whole devices, to show. */
export function roundedOf({ health, ...others }: Observed): Observed {
  return mapped({ ...health, ...others }, Math.round)
}

function mapped(totals: Totals, each: (devices: number) => number): Observed {
  const health: ReleaseHealth = { ...NO_HEALTH }
  for (const state of ['waiting', 'adopted', 'stuck', 'reverted', 'silent', 'reported'] as const) {
    health[state] = each(totals[state])
    health.offered += health[state]
  }
  const { recovered, slow, late } = totals
  return { health, recovered: each(recovered), slow: each(slow), late: each(late) }
}

export function sizeOf({ waiting, adopted, stuck, reverted, reported }: NetworkTally): number {
  return waiting + adopted + stuck + reverted + reported
}

export function failedIn({ stuck, reverted, reported }: NetworkTally): number {
  return stuck + reverted + reported
}
