import type { SignInEntries } from './sign-in-state.ts'
import { hashToken } from './tokens.ts'

/** So much longer is a use remembered than it could be repeated: clocks of servers differ. */
const MARGIN = 10 * 60_000

/**
 * Remembers what was used, for as long as it could be used again. Add only what somebody had to prove something for,
 * such as a right answer of a passkey: then strangers cannot make it grow.
 */
export class UsedOnce {
  readonly #entries: SignInEntries
  readonly #kind: string
  readonly #time: number

  /** `kind`: what is used. `time`: milliseconds that it could be used again. */
  constructor({ entries, kind, time }: { entries: SignInEntries; kind: string; time: number }) {
    this.#entries = entries
    this.#kind = kind
    this.#time = time + MARGIN
  }

  /** Returns whether it was used. */
  async has(name: string): Promise<boolean> {
    return (await this.#entries.get(this.#name(name))) !== undefined
  }

  /** Uses it. Returns false if it was used before. */
  async add(name: string): Promise<boolean> {
    const entry = { value: '', owner: this.#kind, time: this.#time }
    return await this.#entries.add(this.#name(name), entry)
  }

  #name(name: string): string {
    return `${this.#kind}:${hashToken(name)}`
  }
}
