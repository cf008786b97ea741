import { randomInt } from 'node:crypto'
import { z } from 'zod'
import { POLL_SECONDS } from '../../shared/console/sign-in-codes.ts'
import { Refusal } from '../catalog/errors.ts'
import type { Caller, Session, SignedIn } from './account.ts'
import { boundedCaller } from './caller.ts'
import type { Directory } from './directory.ts'
import { Sealed } from './sealed.ts'
import type { Sessions } from './sessions.ts'
import type { SignIn } from './sign-in.ts'
import type { SignInLimits } from './sign-in-limits.ts'
import { drawToken } from './tokens.ts'

/** Milliseconds that a code is valid. */
const CODE_TIME = 10 * 60_000
/** Milliseconds in which a command that waits asks again, also over a slow network. */
const PATIENCE = 3 * POLL_SECONDS * 1_000
/** Most codes that were shown to one person and are still valid. */
const MAX_SHOWN = 100

/** Without vowels, so that no code is a word, and without what looks alike (RFC 8628 section 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const CODE_LENGTH = 8
const CODE = new RegExp(`^[${LETTERS}]{${CODE_LENGTH}}$`)

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
})
export type SignInRequest = Readonly<z.infer<typeof SignInRequest>>

/** What the command keeps. The ID tells two commands apart that have drawn the same letters. */
const Begun = z.strictObject({ id: z.string(), request: SignInRequest })
type Begun = Readonly<z.infer<typeof Begun>>

/** What became of a request so far. The token is in one answer alone. */
export type SignInProgress =
  | { readonly state: 'pending' | 'denied' | 'expired' }
  | ({ readonly state: 'signed_in' } & SignedIn)

/** A code that a person has entered. */
interface Entered {
  /** Resolves to what the code is about when the command asks next; undefined if no command does. */
  readonly heard: Promise<Begun | undefined>
  readonly hear: (begun: Begun | undefined) => void
  begun: Begun | undefined
  /** The accounts that it was shown to: nobody decides on what they have not seen. */
  readonly shownTo: Set<string>
  /** Who confirmed it, in which session. Null: nobody has decided. */
  decision: { readonly session: Session } | 'denied' | 'answered' | null
}

interface Parts {
  readonly directory: Directory
  readonly sessions: Sessions
  readonly signIn: SignIn
  readonly limits: SignInLimits
  /** Milliseconds in which a command that shows a code must ask; three times its interval by default. */
  readonly patience?: number | undefined
}

/**
 * Signing in on the command line, as RFC 8628 does it: the command shows a code, a person who is signed in enters it
 * in the console and confirms, and the command gets a session of its own.
 *
 * The command keeps its request, sealed, and shows it whenever it asks; only the codes that people enter are kept
 * here. So strangers can neither fill anything nor displace a code. A restart voids all codes.
 */
export class SignInCodes {
  readonly #parts: Parts
  readonly #requests: Sealed<Begun>
  /** By the code, first entered first. */
  readonly #entered = new Map<string, Entered>()

  constructor(parts: Parts) {
    this.#parts = parts
    const clock = () => parts.directory.now()
    this.#requests = new Sealed({ schema: Begun, time: CODE_TIME, clock })
  }

  /** Begins a sign-in. `deviceCode` is the secret of the command. */
  begin(
    computer: string,
    from: Caller,
  ): { readonly deviceCode: string; readonly request: SignInRequest } {
    const now = this.#parts.directory.now()
    const { address, userAgent: name } = boundedCaller({ ...from, userAgent: computer })
    const request = {
      ...{ userCode: drawCode(), computer: name, address },
      createdAt: new Date(now).toISOString(),
      expiresAt: new Date(now + CODE_TIME).toISOString(),
    }
    return { deviceCode: this.#requests.seal({ id: drawToken(), request }), request }
  }

  /** Returns what became of a sign-in, and begins the session if it was confirmed. Works once then. */
  async poll(deviceCode: string, caller: Caller): Promise<SignInProgress> {
    const begun = this.#requests.open(deviceCode)
    if (begun === undefined) return { state: 'expired' }
    const entered = this.#entered.get(begun.request.userCode)
    if (entered === undefined) return { state: 'pending' }
    if (entered.begun === undefined) entered.hear(begun)
    const { decision } = entered
    if (entered.begun?.id !== begun.id || decision === null) return { state: 'pending' }
    if (decision === 'answered') return { state: 'expired' }
    // Before anything is awaited: a second question at the same time gets nothing.
    entered.decision = 'answered'
    if (decision === 'denied') return { state: 'denied' }
    // Who confirmed may have signed out, or lost the session, since.
    const confirming = this.#parts.sessions.byId(decision.session.id)
    if (confirming === undefined) return { state: 'expired' }
    try {
      const computer = { address: caller.address, userAgent: begun.request.computer }
      const allowed = async () => {}
      const { id } = confirming.account
      const signedIn = await this.#parts.signIn.begin(id, computer, allowed, 'command_line')
      return { state: 'signed_in', ...signedIn }
    } catch (error) {
      // The database may be writable again when the command asks next.
      entered.decision = decision
      throw error
    }
  }

  /**
   * Returns what a code is about, for who is signed in, once the command that shows it asks next: within seconds.
   * Throws `sign_in_code_invalid` and `too_many_attempts`.
   */
  async find({ account }: Session, typed: string): Promise<SignInRequest> {
    this.#dropOld()
    const takeBack = this.#parts.limits.beginGuess(account.id)
    const userCode = codeOf(typed)
    if (!CODE.test(userCode)) throw invalidCode()
    this.#requireRoom(account.id)
    const entered = this.#entered.get(userCode) ?? this.#enter(userCode)
    const begun = entered.begun ?? (await entered.heard)
    if (begun === undefined || entered.decision !== null) throw invalidCode()
    entered.shownTo.add(account.id)
    takeBack()
    return begun.request
  }

  /** Confirms or denies a sign-in that `find` has shown to the person. Throws `sign_in_code_invalid`. */
  decide(session: Session, typed: string, confirmed: boolean): void {
    this.#dropOld()
    const entered = this.#entered.get(codeOf(typed))
    const isShown = entered?.shownTo.has(session.account.id) === true
    if (!isShown || entered.decision !== null) throw invalidCode()
    entered.decision = confirmed ? { session } : 'denied'
  }

  /** Answers whoever waits for a command. */
  stop(): void {
    for (const { hear } of this.#entered.values()) hear(undefined)
  }

  /** Keeps a code until the command that shows it asks, and then for as long as it is valid. */
  #enter(userCode: string): Entered {
    const { promise: heard, resolve } = Promise.withResolvers<Begun | undefined>()
    const { patience = PATIENCE } = this.#parts
    const waiting = setTimeout(() => entered.hear(undefined), patience)
    const entered: Entered = {
      ...{ heard, begun: undefined, shownTo: new Set(), decision: null },
      hear: (begun) => {
        clearTimeout(waiting)
        entered.begun ??= begun
        if (entered.begun === undefined) this.#entered.delete(userCode)
        resolve(begun)
      },
    }
    this.#entered.set(userCode, entered)
    return entered
  }

  #requireRoom(accountId: string): void {
    const shown = [...this.#entered.values()].filter(({ shownTo }) => shownTo.has(accountId))
    const [first] = shown
    if (shown.length < MAX_SHOWN || first === undefined) return
    const left = expiryOf(first) - this.#parts.directory.now()
    const retrySeconds = Math.max(1, Math.ceil(left / 1_000))
    throw new Refusal({ code: 'too_many_attempts', retrySeconds })
  }

  #dropOld(): void {
    const now = this.#parts.directory.now()
    for (const [userCode, entered] of this.#entered) {
      if (expiryOf(entered) <= now) this.#entered.delete(userCode)
    }
  }
}

/** Unix milliseconds; no end while nobody knows what the code is about, because that takes seconds. */
function expiryOf({ begun }: Entered): number {
  return begun === undefined ? Number.POSITIVE_INFINITY : Date.parse(begun.request.expiresAt)
}

function codeOf(typed: string): string {
  return typed.toUpperCase().replaceAll(/[^A-Z]/g, '')
}

function drawCode(): string {
  const letters = Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)])
  return letters.join('')
}

function invalidCode(): Refusal {
  return new Refusal({ code: 'sign_in_code_invalid' })
}
