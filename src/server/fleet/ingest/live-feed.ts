import type { DecisionReason } from '../../../shared/manifest.ts'
import type { CheckIn } from '../check-in.ts'
import type { Source } from '../facts.ts'

/** One check-in. */
export interface FleetEvent {
  /** Increases by one with every check-in, with or without listeners, so that a gap shows a loss. */
  readonly sequence: number
  /** Unix time in milliseconds. */
  readonly at: number
  readonly channelKey: number
  /** `null` for an anonymous check. */
  readonly deviceId: string | null
  readonly version: string
  readonly platform: string
  readonly arch: string
  readonly source: Source
  readonly reason: DecisionReason | null
}

export type FleetListener = (event: FleetEvent) => void

/** Live check-ins for listeners in this process. Costs nothing without listeners. */
export class LiveFeed {
  readonly #listeners = new Set<FleetListener>()
  readonly #onFailure: (error: unknown) => void
  #sequence = 0

  /** `onFailure` is called when a listener throws; the listener is removed. */
  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure
  }

  /** The sequence number of the newest event. */
  get sequence(): number {
    return this.#sequence
  }

  /** Listens until the returned function is called. */
  subscribe(listener: FleetListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Announces a check-in. It is described only if someone listens. */
  announce(checkIn: CheckIn): void {
    this.#sequence++
    if (this.#listeners.size === 0) return
    const event = eventOf(checkIn, this.#sequence)
    for (const listener of this.#listeners) {
      try {
        listener(event)
      } catch (error) {
        this.#listeners.delete(listener)
        this.#onFailure(error)
      }
    }
  }
}

function eventOf(checkIn: CheckIn, sequence: number): FleetEvent {
  const { at, deviceId, profile, source, reason } = checkIn
  const { channelKey, version, platform, arch } = profile
  return { sequence, at, channelKey, deviceId, version, platform, arch, source, reason }
}
