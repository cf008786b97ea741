import type { ActiveDevices } from '../../fleet/facts.ts'

/** Milliseconds from the start of one count of all devices to the start of the next, at least. */
const PAUSE = 250

/** Devices of one channel that were seen lately. */
export interface RecentDevices {
  readonly last24Hours: number
  readonly last7Days: number
  /** Of those of 7 days, by version. */
  readonly byVersion: ReadonlyMap<string, number>
}

export const NO_RECENT_DEVICES: RecentDevices = {
  last24Hours: 0,
  last7Days: 0,
  byVersion: new Map(),
}

interface RecentCountsParts {
  /** Counts all devices. */
  readonly count: () => Promise<readonly ActiveDevices[]>
  /** A number that differs whenever a device checked in. */
  readonly sequence: () => number
  readonly pause?: number
}

interface Counting {
  readonly sequence: number
  /** By `performance.now()`. */
  readonly began: number
  readonly answer: Promise<RecentCounts>
}

/** By the key of the channel. Channels without such devices are not in it. */
export type RecentCounts = ReadonlyMap<number, RecentDevices>

/**
 * Counts recently seen devices, at most once in `pause` milliseconds (250 by default). Every answer includes
 * what was known at the call: a call too soon after a change shares the next count.
 */
export class RecentDeviceCounts {
  readonly #parts: RecentCountsParts
  readonly #pause: number
  #last: Counting | undefined
  #next: Promise<RecentCounts> | undefined

  constructor(parts: RecentCountsParts) {
    this.#parts = parts
    this.#pause = parts.pause ?? PAUSE
  }

  /** Returns the counts by channel. Rejects if counting fails. */
  get(): Promise<RecentCounts> {
    if (this.#next !== undefined) return this.#next
    const last = this.#last
    const wait = last === undefined ? 0 : last.began + this.#pause - performance.now()
    if (last === undefined || wait <= 0) return this.#count()
    if (last.sequence === this.#parts.sequence()) return last.answer
    this.#next = new Promise((resolve) => setTimeout(resolve, wait)).then(() => {
      this.#next = undefined
      return this.#count()
    })
    return this.#next
  }

  #count(): Promise<RecentCounts> {
    const sequence = this.#parts.sequence()
    const began = performance.now()
    const answer = this.#parts.count().then(byChannel)
    const counting = { sequence, began, answer }
    this.#last = counting
    // A failed count is not kept.
    answer.catch(() => {
      if (this.#last === counting) this.#last = undefined
    })
    return answer
  }
}

function byChannel(seen: readonly ActiveDevices[]): RecentCounts {
  const channels = new Map<
    number,
    { last24Hours: number; last7Days: number; byVersion: Map<string, number> }
  >()
  for (const { profile, last24Hours, last7Days } of seen) {
    const { channelKey, version } = profile
    const channel = channels.get(channelKey) ?? {
      ...{ last24Hours: 0, last7Days: 0 },
      byVersion: new Map(),
    }
    channels.set(channelKey, channel)
    channel.last24Hours += last24Hours
    channel.last7Days += last7Days
    channel.byVersion.set(version, (channel.byVersion.get(version) ?? 0) + last7Days)
  }
  return channels
}
