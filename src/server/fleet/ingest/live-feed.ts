import type { DecisionReason } from '../../../shared/releases/manifest.ts'
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
  /** Check-ins of its channel before it that another node left out. */
  readonly leftOut?: number | undefined
}

/** A check-in of another node. */
export type RemoteEvent = Omit<FleetEvent, 'sequence'>

export type FleetListener = (event: FleetEvent) => void

/**
 * Live check-ins for listeners in this process, those of other nodes included. Every store announces a check-in once what it
 * says is stored: whoever hears of one can ask for it. Costs nothing without listeners.
 */
export class LiveFeed {
  readonly #listeners = new Set<FleetListener>()
  readonly #onFailure: (error: unknown) => void
  #sequence = 0
  #remote = 0
  #forward: FleetListener | undefined
  #onWatched: (watched: boolean) => void = () => {}

  /** `onFailure` is called when a listener throws; the listener is removed. */
  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure
  }

  /** The sequence number of the newest event. */
  get sequence(): number {
    return this.#sequence
  }

  /** Whether anyone hears what is announced. */
  get isHeard(): boolean {
    return this.#listeners.size > 0 || this.#forward !== undefined
  }

  /** How many check-ins this process has announced. */
  get announced(): number {
    return this.#sequence - this.#remote
  }

  /** Listens until the returned function is called. */
  subscribe(listener: FleetListener): () => void {
    this.#listeners.add(listener)
    if (this.#listeners.size === 1) this.#onWatched(true)
    return () => this.#remove(listener)
  }

  /** Calls `onWatched` when the first listener comes and when the last one has gone. */
  watch(onWatched: (watched: boolean) => void): void {
    this.#onWatched = onWatched
    if (this.#listeners.size > 0) onWatched(true)
  }

  /** Hands the check-ins of this process, and no others, to `forward`; undefined ends that. */
  forwardTo(forward: FleetListener | undefined): void {
    this.#forward = forward
  }

  /** Announces a check-in. It is described only if someone listens. */
  announce(checkIn: CheckIn): void {
    this.#sequence++
    if (!this.isHeard) return
    const event = eventOf(checkIn, this.#sequence)
    this.#forward?.(event)
    this.#tell(event)
  }

  /** Counts check-ins without announcing them. */
  pass(checkIns: number): void {
    this.#sequence += checkIns
  }

  /** Announces a check-in that another node has announced. */
  relay(event: RemoteEvent): void {
    this.#remote++
    this.#tell({ ...event, sequence: ++this.#sequence })
  }

  #tell(event: FleetEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event)
      } catch (error) {
        this.#remove(listener)
        this.#onFailure(error)
      }
    }
  }

  #remove(listener: FleetListener): void {
    if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#onWatched(false)
  }
}

function eventOf(checkIn: CheckIn, sequence: number): FleetEvent {
  const { at, deviceId, profile, source, reason } = checkIn
  const { channelKey, version, platform, arch } = profile
  return { sequence, at, channelKey, deviceId, version, platform, arch, source, reason }
}
