import type { NetworkShare } from '../../../shared/health/judgement.ts'
import type { Observed } from './counted.ts'
import {
  failedIn,
  mergedNetworks,
  type NetworkTally,
  observedOf,
  scaled,
  sizeOf,
  subtract,
  type Totals,
  totalsOf,
  type WeighedTally,
} from './tallies.ts'

/** Devices whose weights count, and those that a key vouches for. */
export interface CountedDevices {
  readonly tallies: readonly WeighedTally[]
  /** Those of the previous release; empty without one. */
  readonly previous: readonly WeighedTally[]
  readonly keyed: Observed
}

/** What counts of a release. Numbers of devices are not whole where a network counts in proportion. */
export interface CountedEvidence {
  readonly observed: Observed
  readonly networks: NetworkShare
  /** Failures of all devices, with those beyond limits and those that are silent soon. */
  readonly failed: number
  /** Without the network that has most of the adoptions: gates look at these. In an office, all. */
  readonly withoutMost: Observed
  /** Without one network whose devices may have failed, for each of these: its failures may be invented. Empty in an office. */
  readonly withoutFailing: () => readonly Observed[]
  /**
   * What would count if one network did not exist, for each in which more devices were offered the release than the previous
   * one, with and without the majority of the others, or which is the majority: they may be invented to hide failures. Empty
   * in an office.
   */
  readonly withoutHiding: () => Iterable<CountedEvidence>
  /** What would count without the network that has more devices than all others together, if there is one. Empty in an office. */
  readonly withoutMajority: () => Iterable<CountedEvidence>
}

/** Devices of one network that count in any case, as far as there are so many. */
export const LEAST_OF_NETWORK = 5

/** Devices by network. */
type Sizes = ReadonlyMap<number, number>

/**
 * Returns what counts of devices: all that a key vouches for, and of the others those of each network up to the median of the
 * networks, at least `LEAST_OF_NETWORK`; of two or three networks all. In an office all of its devices count, and no others.
 * All count where the networks are not known.
 */
export function countedEvidence({ tallies, previous, keyed }: CountedDevices): CountedEvidence {
  const networks = mergedNetworks(tallies)
  const totals = totalsOf([...tallies, keyed])
  const before = new Map(mergedNetworks(previous).map((each) => [each.network, sizeOf(each)]))
  const office = officeOf(before)
  const own = networks.find(({ network }) => network === office)
  if (isFromBeforeNetworks(tallies, previous)) return unlimitedOf(networks, totals)
  if (own === undefined) return limited(networks, totals, before)
  for (const network of networks) if (network !== own) subtract(totals, network)
  return unlimitedOf([own], totals)
}

/** Whether a version that counted no networks offered the release, or most of the previous one: then nobody knows what is usual. */
function isFromBeforeNetworks(tallies: readonly WeighedTally[], previous: readonly WeighedTally[]) {
  const placed = (all: readonly WeighedTally[]) =>
    mergedNetworks(all).reduce((sum, network) => sum + sizeOf(network), 0)
  const counted = (all: readonly WeighedTally[]) =>
    all.reduce((sum, { health }) => sum + health.offered, 0)
  const isRunning = counted(tallies) - placed(tallies) >= LEAST_OF_NETWORK
  return isRunning || counted(previous) > 2 * placed(previous)
}

function unlimitedOf(networks: readonly NetworkTally[], totals: Totals): CountedEvidence {
  const observed = observedOf(totals)
  return {
    ...{ observed, withoutMost: observed, networks: spreadOf(networks), failed: failedOf(totals) },
    ...{ withoutFailing: () => [], withoutHiding: () => [], withoutMajority: () => [] },
  }
}

/**
 * Returns the network that is the fleet's office: it had all devices that counted of the previous release except for fewer
 * than `LEAST_OF_NETWORK`. Null if there is none. The release that is judged cannot tell, because the first devices that
 * are offered it may all be invented.
 */
function officeOf(before: Sizes): number | null {
  const all = [...before.values()].reduce((sum, size) => sum + size, 0)
  const [office, size] = [...before].find(([, each]) => all - each < LEAST_OF_NETWORK) ?? [null, 0]
  return size < LEAST_OF_NETWORK ? null : office
}

/** `unlimited`: all devices of the networks and of keys. */
function limited(
  networks: readonly NetworkTally[],
  unlimited: Totals,
  before: Sizes,
): CountedEvidence {
  const totals = { ...unlimited }
  const most = mostOf(networks.map(sizeOf))
  const shareOf = (network: NetworkTally) => Math.min(1, most / sizeOf(network))
  for (const network of networks) {
    const share = shareOf(network)
    if (share < 1) subtract(totals, scaled(network, 1 - share))
  }
  const without = (from: Totals, network: NetworkTally) => {
    const rest = { ...from }
    subtract(rest, network)
    return rest
  }
  const unhidden = (hidden: NetworkTally) => {
    const others = networks.filter((each) => each !== hidden)
    return limited(others, without(unlimited, hidden), before)
  }
  const observed = observedOf(totals)
  return {
    observed,
    networks: spreadOf(networks),
    failed: failedOf(unlimited),
    get withoutMost() {
      const [best] = networks.toSorted((one, other) => other.adopted - one.adopted)
      return best === undefined ? observed : unhidden(best).observed
    },
    withoutFailing: () =>
      unlike(networks.map((network) => scaled(network, shareOf(network))))
        .filter(
          (network) =>
            failedIn(network) + Math.min(network.waiting, totals.silent + totals.late) > 0,
        )
        .map((network) => observedOf(without(totals, network))),
    *withoutHiding() {
      const all = networks.reduce((sum, network) => sum + sizeOf(network), 0)
      for (const network of unlike(networks, before)) {
        const size = sizeOf(network)
        const hasGrown = size > (before.get(network.network) ?? 0)
        if (!hasGrown && size <= all - size) continue
        const rest = unhidden(network)
        yield rest
        // Beside it, the largest of the others may not be the larger part.
        if (hasGrown) yield* rest.withoutMajority()
      }
    },
    *withoutMajority() {
      const all = networks.reduce((sum, network) => sum + sizeOf(network), 0)
      const most = networks.find((network) => sizeOf(network) > all - sizeOf(network))
      if (most !== undefined) yield unhidden(most)
    },
  }
}

/** Without those that are as another one: what counts without them is the same, and most homes are alike. */
function unlike(networks: readonly NetworkTally[], before?: Sizes): readonly NetworkTally[] {
  const kinds = networks.map(({ network, ...states }) => {
    return [JSON.stringify([states, before?.get(network)]), network] as const
  })
  const shown = new Set(new Map(kinds).values())
  return networks.filter(({ network }) => shown.has(network))
}

function failedOf({ stuck, reverted, reported, silent, late }: Totals): number {
  return stuck + reverted + reported + silent + late
}

function spreadOf(networks: readonly NetworkTally[]): NetworkShare {
  const failed = networks.filter((network) => failedIn(network) > 0).length
  return { offered: networks.length, failed }
}

/**
 * Returns the devices that a network counts up to: those of the median network. Of two or three networks all devices count, because
 * the smallest would limit the others, and the views without one of them are enough. `sizes`: devices of each network.
 */
export function mostOf(sizes: readonly number[]): number {
  if (sizes.length < 2) return LEAST_OF_NETWORK
  if (sizes.length < 4) return Number.POSITIVE_INFINITY
  const sorted = sizes.toSorted((one, other) => one - other)
  return Math.max(LEAST_OF_NETWORK, sorted[Math.floor((sorted.length - 1) / 2)] ?? 0)
}
