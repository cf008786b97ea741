import type { z } from 'zod'
import { drawToken, hashToken, isToken } from '../tokens.ts'
import { changeEntry, type SignInEntries } from './sign-in-state.ts'

interface Options<Value> {
  readonly entries: SignInEntries
  /** What waits: tells the tokens of different kinds apart. */
  readonly kind: string
  readonly schema: z.ZodType<Value>
  /** Milliseconds that it waits. */
  readonly time: number
  /** Of one account. */
  readonly maximum: number
}

/** Keeps what waits for its second part under hashes of random tokens. Of each account the oldest goes first, of no other. */
export class Pending<Value extends { readonly accountId: string }> {
  readonly #options: Options<Value>

  constructor(options: Options<Value>) {
    this.#options = options
  }

  /** Keeps the value, and returns its token. */
  async add(value: Value): Promise<string> {
    const { entries, kind, time, maximum } = this.#options
    const token = drawToken()
    const owner = `${kind} ${value.accountId}`
    await entries.add(this.#name(token), { value: JSON.stringify(value), owner, time, maximum })
    return token
  }

  /** Returns the value; undefined once its time is over. */
  async get(token: string): Promise<Value | undefined> {
    if (!isToken(token)) return undefined
    return this.#parsed(await this.#options.entries.get(this.#name(token)))
  }

  /** Changes the value. `work` returns undefined to leave it. Resolves to the value that is kept; undefined if there is none. */
  async change(
    token: string,
    work: (value: Value) => Value | undefined,
  ): Promise<Value | undefined> {
    if (!isToken(token)) return undefined
    const { entries, schema } = this.#options
    const kept = await changeEntry(entries, this.#name(token), (stored) => {
      const changed = work(schema.parse(JSON.parse(stored)))
      return changed && { value: JSON.stringify(changed) }
    })
    return this.#parsed(kept)
  }

  /** Drops the value, so that it is not used again. */
  async drop(token: string): Promise<void> {
    if (isToken(token)) await this.#options.entries.remove(this.#name(token))
  }

  #name(token: string): string {
    return `${this.#options.kind}:${hashToken(token)}`
  }

  #parsed(stored: string | undefined): Value | undefined {
    return stored === undefined ? undefined : this.#options.schema.parse(JSON.parse(stored))
  }
}
