import { NO_HEALTH, type ReleaseHealth } from '../../shared/health.ts'
import type { NetworkShare } from '../../shared/judgement.ts'
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

/** What counts of a release. */
export interface CountedEvidence {
  readonly observed: Observed
  /** Without the network that has most of the failures: a failure that is none without it is not stopped. */
  readonly withoutWorst: Observed
  /** Without the network that has most of the adoptions, which may hide failures: gates look at these. */
  readonly withoutBest: Observed
  readonly withoutBoth: Observed
  readonly networks: NetworkShare
}

/** Devices of one network that count in any case, as far as there are so many. */
export const LEAST_OF_NETWORK = 5

const NOTHING: Observed = { health: NO_HEALTH, recovered: 0, slow: 0 }
const STATES = ['adopted', 'stuck', 'reverted', 'reported', 'recovered', 'slow'] as const
type Totals = Record<(typeof STATES)[number] | 'waiting' | 'silent', number>
type Sums = { -readonly [Member in keyof NetworkTally]: NetworkTally[Member] }

/**
 * Returns what counts of devices: all that `keyed` has, and of the others those of each network up to the median of the
 * networks, at least `LEAST_OF_NETWORK`. If all are in one network, such as behind the address of an office, all count.
 */
export function countedEvidence(
  tallies: readonly WeighedTally[],
  keyed: Observed = NOTHING,
): CountedEvidence {
  const networks = mergedNetworks(tallies)
  const totals = totalsOf([...tallies, keyed])
  const { offered } = sumOf(totals)
  const inNetworks = networks.reduce((sum, network) => sum + sizeOf(network), 0)
  const isOffice = networks.length === 1 && offered === inNetworks
  const most = isOffice ? Number.POSITIVE_INFINITY : mostOf(networks)
  const counted: NetworkTally[] = []
  for (const network of networks) {
    const share = Math.min(1, most / sizeOf(network))
    counted.push(scaled(network, share))
    if (share < 1) subtract(totals, scaled(network, 1 - share))
  }
  const heaviest = (weightIn: (network: NetworkTally) => number) =>
    isOffice ? [] : counted.toSorted((one, other) => weightIn(other) - weightIn(one)).slice(0, 1)
  const worst = heaviest((each) => failedIn(each) + Math.min(each.waiting, totals.silent))
  const best = heaviest(({ adopted }) => adopted)
  const without = (left: readonly NetworkTally[]) => {
    const rest = { ...totals }
    for (const network of new Set(left)) subtract(rest, network)
    return observedOf(rest)
  }
  return {
    observed: observedOf(totals),
    withoutWorst: without(worst),
    withoutBest: without(best),
    withoutBoth: without([...worst, ...best]),
    networks: {
      offered: networks.length,
      failed: networks.filter((network) => failedIn(network) > 0).length,
    },
  }
}

/** The lower median of the devices of a network. */
function mostOf(networks: readonly NetworkTally[]): number {
  if (networks.length < 2) return LEAST_OF_NETWORK
  const sizes = networks.map(sizeOf).sort((one, other) => one - other)
  return Math.max(LEAST_OF_NETWORK, sizes[Math.floor((sizes.length - 1) / 2)] ?? 0)
}

function mergedNetworks(tallies: readonly WeighedTally[]): NetworkTally[] {
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

function totalsOf(tallies: readonly Observed[]): Totals {
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
  }
}

/** Of those that wait, silent ones are left out first: a network that is left out may be why there are any. */
function subtract(totals: Totals, { waiting, ...tally }: NetworkTally): void {
  for (const state of STATES) totals[state] = Math.max(0, totals[state] - tally[state])
  const silent = Math.min(totals.silent, waiting)
  totals.silent -= silent
  totals.waiting = Math.max(0, totals.waiting - (waiting - silent))
}

function scaled(network: NetworkTally, share: number): NetworkTally {
  const tally: Sums = { ...network, waiting: network.waiting * share }
  for (const state of STATES) tally[state] *= share
  return tally
}

function observedOf(totals: Totals): Observed {
  return {
    health: sumOf(totals),
    recovered: Math.round(totals.recovered),
    slow: Math.round(totals.slow),
  }
}

function sumOf(totals: Totals): ReleaseHealth {
  const states = {
    ...{ waiting: Math.round(totals.waiting), adopted: Math.round(totals.adopted) },
    ...{ stuck: Math.round(totals.stuck), reverted: Math.round(totals.reverted) },
    ...{ silent: Math.round(totals.silent), reported: Math.round(totals.reported) },
  }
  return { offered: Object.values(states).reduce((sum, devices) => sum + devices, 0), ...states }
}

function sizeOf({ waiting, adopted, stuck, reverted, reported }: NetworkTally): number {
  return waiting + adopted + stuck + reverted + reported
}

function failedIn({ stuck, reverted, reported }: NetworkTally): number {
  return stuck + reverted + reported
}
