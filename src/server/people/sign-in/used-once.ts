import { hashToken } from '../tokens.ts'
import type { SignInEntries } from './sign-in-state.ts'

/** So much longer is a use remembered than it could be repeated: clocks of servers differ. */
const MARGIN = 10 * 60_000

/** Remembers what was used while it could be used again. What nobody had to prove anything for needs a maximum. */
export class UsedOnce {
  readonly #entries: SignInEntries
  readonly #kind: string
  readonly #time: number
  readonly #maximum: number | undefined

  /** `kind`: what is used. `time`: milliseconds in which it could be used again. `maximum`: uses remembered; all by default. */
  constructor({
    entries,
    kind,
    time,
    maximum,
  }: {
    readonly entries: SignInEntries
    readonly kind: string
    readonly time: number
    readonly maximum?: number
  }) {
    this.#entries = entries
    this.#kind = kind
    this.#time = time + MARGIN
    this.#maximum = maximum
  }

  /** Returns whether it was used. */
  async has(name: string): Promise<boolean> {
    return (await this.#entries.get(this.#name(name))) !== undefined
  }

  /** Uses it. Returns false if it was used before. */
  async add(name: string): Promise<boolean> {
    const entry = { value: '', owner: this.#kind, time: this.#time, maximum: this.#maximum }
    return await this.#entries.add(this.#name(name), entry)
  }

  #name(name: string): string {
    return `${this.#kind}:${hashToken(name)}`
  }
}
