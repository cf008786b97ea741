import { CHECK_IN_WIDTH } from '../batch.ts'

const FIRST_ROOM = 1_024
/** Most check-ins that wait for the writer: 13 MB, some seconds of the heaviest load. */
export const MAX_QUEUED = 262_144

/**
 * Check-ins that wait for the log. When it is full, the oldest is dropped and counted as lost. The device's
 * next check-in still refers to it, so the ones before it are not found from there.
 */
export class CheckInQueue {
  #ring = new Float64Array(FIRST_ROOM * CHECK_IN_WIDTH)
  #first = 0
  #length = 0
  #lastId: number
  #lost: number

  /** `lastId`, `lost`: the last assigned number, and how many check-ins were lost so far. */
  constructor(lastId: number, lost: number) {
    this.#lastId = lastId
    this.#lost = lost
  }

  get length(): number {
    return this.#length
  }

  /** The number of the newest check-in. */
  get lastId(): number {
    return this.#lastId
  }

  /** The number that the next check-in gets, above all that are in memory or stored. */
  get nextId(): number {
    return this.#lastId + 1
  }

  get lost(): number {
    return this.#lost
  }

  /** Counts check-ins that cannot be queued, or that were taken from the queue and not stored. */
  lose(count = 1): void {
    this.#lost += count
  }

  /** Assigns the number of a check-in, which must be pushed before the next one is assigned. */
  assignId(): number {
    return ++this.#lastId
  }

  /**
   * Adds a check-in. `id`: from `assignId`. `previous`: the number of the same device's previous check-in; 0
   * for none.
   */
  push(
    id: number,
    device: number,
    at: number,
    profile: number,
    kind: number,
    previous: number,
  ): void {
    let room = this.#ring.length / CHECK_IN_WIDTH
    if (this.#length === room) {
      if (room < MAX_QUEUED) room = this.#grow()
      else {
        this.#first = (this.#first + 1) % room
        this.#length--
        this.#lost++
      }
    }
    const ring = this.#ring
    const slot = ((this.#first + this.#length) % room) * CHECK_IN_WIDTH
    ring[slot] = id
    ring[slot + 1] = device
    ring[slot + 2] = at
    ring[slot + 3] = profile
    ring[slot + 4] = kind
    ring[slot + 5] = previous
    this.#length++
  }

  /** Hands over everything, oldest first. */
  take(): Float64Array {
    const taken = this.#inOrder(new Float64Array(this.#length * CHECK_IN_WIDTH))
    this.#first = 0
    this.#length = 0
    return taken
  }

  #grow(): number {
    const larger = this.#inOrder(new Float64Array(this.#ring.length * 2))
    this.#ring = larger
    this.#first = 0
    return larger.length / CHECK_IN_WIDTH
  }

  #inOrder(into: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
    const from = this.#first * CHECK_IN_WIDTH
    const end = from + this.#length * CHECK_IN_WIDTH
    const head = this.#ring.subarray(from, Math.min(end, this.#ring.length))
    into.set(head)
    into.set(this.#ring.subarray(0, Math.max(0, end - this.#ring.length)), head.length)
    return into
  }
}
