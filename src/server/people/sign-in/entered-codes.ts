import { z } from 'zod'
import { Refusal } from '../../catalog/errors.ts'
import { hashToken } from '../tokens.ts'
import { changeEntry, type SignInEntries } from './sign-in-state.ts'

/** Most valid codes that one person has entered. */
const MAX_ENTERED = 100

/** What a command line asks a person to confirm. */
const SignInRequest = z.strictObject({
  /** Eight letters. */
  userCode: z.string(),
  /** The name that the computer gives itself; unverified. */
  computer: z.string(),
  address: z.string(),
  /** ISO 8601, UTC, both. */
  createdAt: z.string(),
  expiresAt: z.string(),
  /** Whether it asks to manage people, too. Missing: not. */
  managesPeople: z.literal(true).optional(),
})
export type SignInRequest = Readonly<z.infer<typeof SignInRequest>>

/** What the command keeps. The ID tells two commands apart that have drawn the same letters, and is its secret. */
export const Begun = z.strictObject({ id: z.string(), request: SignInRequest })
export type Begun = Readonly<z.infer<typeof Begun>>

/** What is known of it elsewhere. */
const Heard = z.strictObject({ idHash: z.string(), request: SignInRequest })
export type Heard = Readonly<z.infer<typeof Heard>>

/** Who confirmed it, in which session, and what became of it. Null: nobody has decided. */
const Decision = z
  .union([z.literal(['denied', 'answered']), z.strictObject({ sessionId: z.string() })])
  .nullable()
export type Decision = Readonly<z.infer<typeof Decision>>

const Entered = z.strictObject({
  /** What the code is about; null until the command asks. */
  begun: Heard.nullable(),
  /** The accounts that it was shown to: nobody decides on what they have not seen. */
  shownTo: z.array(z.string()),
  decision: Decision,
})
/** A code that a person has entered. */
export type Entered = Readonly<z.infer<typeof Entered>>

/** The codes of the command line that people have entered, on any server. */
export class EnteredCodes {
  readonly #entries: SignInEntries
  readonly #clock: () => number

  /** `clock`: Unix milliseconds. */
  constructor(entries: SignInEntries, clock: () => number) {
    this.#entries = entries
    this.#clock = clock
  }

  async read(userCode: string): Promise<Entered | undefined> {
    const stored = await this.#entries.get(nameOf(userCode))
    return stored === undefined ? undefined : parse(stored)
  }

  /** Keeps a code for `patience` milliseconds unless it is kept. Throws `too_many_attempts`. */
  async enter(userCode: string, accountId: string, patience: number): Promise<void> {
    const owner = `code ${accountId}`
    const { count, endsIn } = await this.#entries.held(owner)
    if (count >= MAX_ENTERED) {
      const retrySeconds = Math.max(1, Math.ceil(endsIn / 1_000))
      throw new Refusal({ code: 'too_many_attempts', retrySeconds })
    }
    const value = write({ begun: null, shownTo: [], decision: null })
    await this.#entries.add(nameOf(userCode), { value, owner, time: patience })
  }

  /** The command asks: the code is kept for as long as it is valid. Returns undefined if nobody has entered it. */
  async hear(userCode: string, begun: Heard): Promise<Entered | undefined> {
    const time = Date.parse(begun.request.expiresAt) - this.#clock()
    return await this.#change(userCode, (entered) =>
      entered.begun === null ? { entered: { ...entered, begun }, time } : undefined,
    )
  }

  /** Notes that a person sees what the code is about. Returns that; undefined if it is decided. */
  async show(userCode: string, accountId: string): Promise<SignInRequest | undefined> {
    const entered = await this.#change(userCode, (known) => {
      if (known.decision !== null || known.shownTo.includes(accountId)) return undefined
      return { entered: { ...known, shownTo: [...known.shownTo, accountId] } }
    })
    return entered?.decision === null ? entered.begun?.request : undefined
  }

  /** Changes the decision if it is `before`, and if the code was shown to `accountId`, anybody by default. Returns whether it did. */
  async decide(
    userCode: string,
    before: Decision,
    after: Decision,
    accountId?: string,
  ): Promise<boolean> {
    let isDecided = false
    await this.#change(userCode, (known) => {
      const isShown = accountId === undefined || known.shownTo.includes(accountId)
      isDecided = isShown && JSON.stringify(known.decision) === JSON.stringify(before)
      return isDecided ? { entered: { ...known, decision: after } } : undefined
    })
    return isDecided
  }

  async #change(
    userCode: string,
    work: (entered: Entered) => { readonly entered: Entered; readonly time?: number } | undefined,
  ): Promise<Entered | undefined> {
    const kept = await changeEntry(this.#entries, nameOf(userCode), (stored) => {
      const changed = work(parse(stored))
      if (changed === undefined) return undefined
      const { entered, ...end } = changed
      return { value: write(entered), ...end }
    })
    return kept === undefined ? undefined : parse(kept)
  }
}

function nameOf(userCode: string): string {
  return `code:${hashToken(userCode)}`
}

function parse(stored: string): Entered {
  return Entered.parse(JSON.parse(stored))
}

function write(entered: Entered): string {
  return JSON.stringify(entered)
}
