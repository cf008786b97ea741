import { randomBytes } from 'node:crypto'
import { AttemptsInMemory } from './attempts.ts'
import { KEY_BYTES } from './sealed.ts'
import type { Held, NewEntry, SignInEntries, SignInState } from './sign-in-state.ts'

interface Clocks {
  /** Unix milliseconds. */
  readonly clock: () => number
  /** Monotonic clock of the limits, in milliseconds. */
  readonly limitsClock?: (() => number) | undefined
}

/** What sign-ins leave in this process: whoever began one begins again after a restart. */
export class SignInStateInMemory implements SignInState {
  readonly entries: SignInEntries
  readonly attempts: AttemptsInMemory
  readonly #key = randomBytes(KEY_BYTES)

  constructor({ clock, limitsClock }: Clocks) {
    this.entries = new EntriesInMemory(clock)
    this.attempts = new AttemptsInMemory({ clock: limitsClock })
  }

  async sealingKey(): Promise<Buffer> {
    return this.#key
  }
}

interface Kept {
  value: string
  readonly owner: string
  until: number
}

class EntriesInMemory implements SignInEntries {
  readonly #kept = new Map<string, Kept>()
  readonly #clock: () => number

  constructor(clock: () => number) {
    this.#clock = clock
  }

  async add(name: string, { value, owner, time, maximum }: NewEntry): Promise<boolean> {
    const now = this.#clock()
    for (const [other, { until }] of this.#kept) if (until <= now) this.#kept.delete(other)
    if (this.#kept.has(name)) return false
    if (maximum !== undefined) this.#makeRoom(owner, maximum)
    this.#kept.set(name, { value, owner, until: now + time })
    return true
  }

  async get(name: string): Promise<string | undefined> {
    return this.#at(name)?.value
  }

  async replace(name: string, before: string, after: string, time?: number): Promise<boolean> {
    const kept = this.#at(name)
    if (kept?.value !== before) return false
    kept.value = after
    if (time !== undefined) kept.until = this.#clock() + time
    return true
  }

  async remove(name: string): Promise<void> {
    this.#kept.delete(name)
  }

  async held(owner: string): Promise<Held> {
    const now = this.#clock()
    const ends = this.#of(owner).flatMap(([, { until }]) => (until > now ? [until - now] : []))
    return { count: ends.length, endsIn: ends[0] ?? 0 }
  }

  #makeRoom(owner: string, maximum: number): void {
    let count = 0
    for (const kept of this.#kept.values()) if (kept.owner === owner) count += 1
    if (count < maximum) return
    for (const [name] of this.#of(owner).slice(0, count - maximum + 1)) this.#kept.delete(name)
  }

  /** Those of an owner; what ends first is first. */
  #of(owner: string): [string, Kept][] {
    return [...this.#kept]
      .filter(([, kept]) => kept.owner === owner)
      .sort(([, one], [, other]) => one.until - other.until)
  }

  #at(name: string): Kept | undefined {
    const kept = this.#kept.get(name)
    return kept !== undefined && kept.until > this.#clock() ? kept : undefined
  }
}
