import { mostOf } from './weighed.ts'

/** Devices, and of these what is wrong with them whether or not they were offered a release. */
export interface Arm {
  readonly devices: number
  /** Not seen for as long as a silent device. */
  readonly silent: number
  /** Below the version that they ran when the release was first offered. */
  readonly reverted: number
}

/** The devices that are not offered a release and would be at 100%, seen since it was first offered. */
export type Control = Arm

/** Devices from which a control says what is usual now: before, the previous release does. */
export const LEAST_CONTROL = 20

export const NO_ARM: Arm = { devices: 0, silent: 0, reverted: 0 }

/**
 * Returns the devices of several networks together: of each no more than of the median one, unless there is one only, and all of
 * `keyed`.
 */
export function armOf(networks: readonly Arm[], keyed: Arm): Arm {
  const isOne = networks.length === 1
  const most = isOne ? Number.POSITIVE_INFINITY : mostOf(networks.map(({ devices }) => devices))
  const parts = networks.map((arm) => scaled(arm, Math.min(1, most / arm.devices)))
  return [...parts, keyed].reduce(sumOfArms, NO_ARM)
}

function scaled({ devices, silent, reverted }: Arm, share: number): Arm {
  return { devices: devices * share, silent: silent * share, reverted: reverted * share }
}

/** Returns the devices of both. */
export function sumOfArms(one: Arm, other: Arm): Arm {
  return {
    devices: one.devices + other.devices,
    silent: one.silent + other.silent,
    reverted: one.reverted + other.reverted,
  }
}
