import { mostOf } from './weighed.ts'

/** Devices, and of these what is wrong with them whether or not they were offered a release. */
export interface Arm {
  readonly devices: number
  /** Not seen for as long as a silent device. */
  readonly silent: number
  /** Below the version that they ran when the release was first offered. */
  readonly reverted: number
  /** Not seen for a day, and for their own usual interval. See `isGone`. */
  readonly gone: number
}

/** The devices that are not offered a release and would be at 100%, seen since it was first offered. */
export interface Control extends Arm {
  /** Silent ones of `TwoArms.offered`, of which no more are compared; undefined for all. */
  readonly offeredSilent?: number
}

/**
 * The devices of a release that count, seen since it was first offered, by whether chance offered it to them: none that get it early or
 * asked for it. Stuck devices are in both, because nobody knows which of the control would be.
 */
export interface TwoArms {
  readonly offered: Arm
  readonly control: Arm
}

/** Returns the control of two arms. */
export function controlIn({ offered, control }: TwoArms): Control {
  return { ...control, offeredSilent: offered.silent }
}

export interface Arms extends TwoArms {
  /** Without one of the networks in which devices are gone that were offered the release, for each; empty if there is only one. */
  readonly withoutOne: readonly TwoArms[]
}

/** Devices from which a control says what is usual now: before, the previous release does. */
export const LEAST_CONTROL = 20

const NO_ARM: Arm = { devices: 0, silent: 0, reverted: 0, gone: 0 }
type Counts = { readonly [Name in keyof TwoArms]: { -readonly [Count in keyof Arm]: Arm[Count] } }
const noCounts = (): Counts => ({ offered: { ...NO_ARM }, control: { ...NO_ARM } })

/** Counts devices one after the other, each in the network that it is in. */
export class ArmsCounter {
  /** Of those that a key vouches for, which are in no network. */
  readonly #keyed = noCounts()
  readonly #networks = new Map<number | string, Counts>()

  /** Counts a device. `network`: null for one that a key vouches for. One that went back is not silent as well. */
  count(
    network: number | string | null,
    arm: keyof TwoArms,
    is: { readonly silent: boolean; readonly reverted: boolean; readonly gone: boolean },
  ): void {
    const counts = network === null ? this.#keyed : (this.#networks.get(network) ?? noCounts())
    if (network !== null) this.#networks.set(network, counts)
    counts[arm].devices += 1
    if (is.reverted) counts[arm].reverted += 1
    else if (is.silent) counts[arm].silent += 1
    if (is.gone) counts[arm].gone += 1
  }

  /** Returns the devices of all networks: of each no more than of the median one, unless there is one only, and all that are keyed. */
  arms(): Arms {
    const networks = [...this.#networks.values()]
    const together = (some: readonly TwoArms[]): TwoArms => ({
      offered: armOf(
        some.map(({ offered }) => offered),
        this.#keyed.offered,
      ),
      control: armOf(
        some.map(({ control }) => control),
        this.#keyed.control,
      ),
    })
    const failing = networks.length < 2 ? [] : networks.filter(({ offered }) => offered.gone > 0)
    return {
      ...together(networks),
      withoutOne: failing.map((left) => together(networks.filter((each) => each !== left))),
    }
  }
}

function armOf(all: readonly Arm[], keyed: Arm): Arm {
  const networks = all.filter(({ devices }) => devices > 0)
  const isOne = networks.length === 1
  const most = isOne ? Number.POSITIVE_INFINITY : mostOf(networks.map(({ devices }) => devices))
  const sum = (count: keyof Arm) =>
    networks.reduce((all, arm) => all + arm[count] * Math.min(1, most / arm.devices), keyed[count])
  const [devices, silent] = [sum('devices'), sum('silent')]
  return { devices, silent, reverted: sum('reverted'), gone: sum('gone') }
}
