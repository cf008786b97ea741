import type { LabelMap } from '../shared/names.ts'
import type { Habits } from './habits.ts'
import type { Offer } from './offer.ts'
import type { Random } from './random.ts'

/** Share of check-ins that say the labels again, though nothing of them has changed. */
const SAYS_LABELS = 0.03

export interface DeviceTraits {
  /** null: it never says who it is. */
  readonly id: string | null
  readonly app: string
  readonly channel: string
  readonly platform: string
  readonly arch: string
  readonly labels: LabelMap
  readonly habits: Habits
  readonly random: Random
  /** What runs on it when it comes; the newest release for everybody then, where it is left out. */
  readonly version?: string | undefined
}

/** A device of the demo's fleet. It knows what it runs, and learns the rest from the server. */
export class SimulatedDevice {
  readonly traits: DeviceTraits
  readonly #path: string
  readonly #query: string
  readonly #headers: Readonly<Record<string, string>>
  #version: string | undefined
  #download: string | undefined
  #passedOver = 0
  #labelsKnown = false

  constructor(traits: DeviceTraits) {
    const { app, channel, platform, arch, id, labels, version } = traits
    this.traits = traits
    this.#path = `/u/${app}/${channel}/${platform}/${arch}/`
    this.#query = new URLSearchParams(
      Object.entries(labels).map(([key, value]) => [`l.${key}`, value]),
    ).toString()
    this.#headers = id === null ? {} : { 'x-service-device': id }
    this.#version = version
  }

  get version(): string | undefined {
    return this.#version
  }

  /** Switches it on: what was downloaded runs from now on. A new one gets `fresh` installed. */
  start(fresh: () => string): void {
    if (this.#download !== undefined) {
      this.#version = this.#download
      this.#download = undefined
      this.#labelsKnown = false
    }
    this.#version ??= fresh()
  }

  /** Its update check: path, query and headers. */
  check(): { url: string; headers: Readonly<Record<string, string>> } {
    const says = !this.#labelsKnown || this.traits.random.chance(SAYS_LABELS)
    this.#labelsKnown = true
    const query = says && this.#query !== '' ? `?${this.#query}` : ''
    return { url: `${this.#path}${this.#version}${query}`, headers: this.#headers }
  }

  /**
   * Takes the answer in: the version that it was offered, and whether it has to go back to it; null
   * for none. Answers whether it downloads it now, to run it when it is started next. `share`: how
   * much of its usual patience it has, 0 to 1.
   */
  hear(offer: Offer | null, share = 1): boolean {
    if (offer === null) {
      this.#passedOver = 0
      return false
    }
    // Whoever runs a broken version does not wait as long as with any other.
    const patience = this.traits.habits.patience * share * (offer.allowDowngrade ? 0.1 : 1)
    if (this.#passedOver++ < patience) return false
    this.#passedOver = 0
    this.#download = offer.version
    return true
  }
}
