import type { LabelMap } from '../shared/names.ts'
import type { Habits } from './habits.ts'
import type { Random } from './random.ts'

/** Share of check-ins that send the labels again although none of them has changed. */
const RESENDS_LABELS = 0.03

export interface DeviceTraits {
  /** null: it never sends an identifier. */
  readonly id: string | null
  readonly app: string
  readonly channel: string
  readonly platform: string
  readonly arch: string
  readonly labels: LabelMap
  readonly habits: Habits
  readonly random: Random
  /** The version it has at first; the latest version offered to all devices by default. */
  readonly version?: string | undefined
}

/** What a device sends in an update check. */
export interface DeviceCheck extends Pick<DeviceTraits, 'app' | 'channel' | 'platform' | 'arch'> {
  readonly version: string
  readonly deviceId: string | null
  /** undefined if it sends no labels. */
  readonly labels: LabelMap | undefined
}

/** What a device is offered. */
export interface Offered {
  readonly version: string
  /** True if it has to go back to it. */
  readonly allowDowngrade: boolean
}

/** A device of the demo's fleet. It knows the version that it runs; the server decides the rest. */
export class SimulatedDevice {
  readonly traits: DeviceTraits
  #version: string | undefined
  #download: string | undefined
  #passedOver = 0
  #labelsKnown = false
  readonly #faults = new Map<string, boolean>()

  constructor(traits: DeviceTraits) {
    this.traits = traits
    this.#version = traits.version
  }

  /** The version that it runs; undefined before its first start. */
  get version(): string | undefined {
    return this.#version
  }

  /** Starts the device with what it downloaded. A new device runs `fresh`. */
  start(fresh: string): void {
    if (this.#download !== undefined) {
      this.#version = this.#download
      this.#download = undefined
      this.#labelsKnown = false
    }
    this.#version ??= fresh
  }

  /** Returns its update check. Throws before the first `start`. */
  check(): DeviceCheck {
    const { id: deviceId, app, channel, platform, arch, labels, random } = this.traits
    const version = this.#version
    if (version === undefined) throw new Error(`device ${deviceId} runs nothing yet`)
    const sends = !this.#labelsKnown || random.chance(RESENDS_LABELS)
    this.#labelsKnown = true
    const sent = sends && Object.keys(labels).length > 0 ? labels : undefined
    return { app, channel, platform, arch, version, deviceId, labels: sent }
  }

  /**
   * Returns whether it meets the fault of a version that fails on such a share of devices, 0 to 1. The same for every
   * call with the same version.
   */
  meetsFault(version: string, share: number): boolean {
    const known = this.#faults.get(version)
    if (known !== undefined) return known
    const meets = this.traits.random.chance(share)
    this.#faults.set(version, meets)
    return meets
  }

  /**
   * Receives the answer to its update check; null for no offer. Returns whether the device downloads
   * the version now, to run it at its next start. `share`: how much of its usual patience it has, 0 to 1.
   */
  receive(offer: Offered | null, share = 1): boolean {
    if (offer === null) {
      this.#passedOver = 0
      return false
    }
    // Devices on a broken version do not wait as long as others.
    const patience = this.traits.habits.patience * share * (offer.allowDowngrade ? 0.1 : 1)
    if (this.#passedOver++ < patience) return false
    this.#passedOver = 0
    this.#download = offer.version
    return true
  }
}
