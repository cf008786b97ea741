import type { ActiveDevices } from '../../fleet/facts.ts'
import type { SeenPeriod } from '../../fleet/time.ts'

/** Milliseconds from the start of one count of all devices to the start of the next, at least. */
const PAUSE = 250

/** Devices of one channel that were seen lately. */
export interface RecentDevices {
  readonly seen: Readonly<Record<SeenPeriod, number>>
  /** Of those of 7 days, by version. */
  readonly byVersion: ReadonlyMap<string, number>
  /** The same devices by what they ran. */
  readonly profiles: readonly ActiveDevices[]
}

export const NO_RECENT_DEVICES: RecentDevices = {
  seen: { '24h': 0, '7d': 0, '30d': 0, '90d': 0 },
  byVersion: new Map(),
  profiles: [],
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

/** Counts recently seen devices, at most once in `pause` milliseconds (250). A call too soon after a change shares the next count. */
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

/** Adds up devices by the channel of their last check-in. */
export function byChannel(active: readonly ActiveDevices[]): RecentCounts {
  const groups = Map.groupBy(active, ({ profile }) => profile.channelKey)
  return new Map([...groups].map(([channelKey, profiles]) => [channelKey, addUp(profiles)]))
}

function addUp(profiles: readonly ActiveDevices[]): RecentDevices {
  const byVersion = new Map<string, number>()
  for (const { profile, seen } of profiles) {
    if (seen['7d'] === 0) continue
    byVersion.set(profile.version, (byVersion.get(profile.version) ?? 0) + seen['7d'])
  }
  const sum = (period: SeenPeriod) => profiles.reduce((total, { seen }) => total + seen[period], 0)
  return {
    seen: { '24h': sum('24h'), '7d': sum('7d'), '30d': sum('30d'), '90d': sum('90d') },
    byVersion,
    profiles,
  }
}
