import { randomInt } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { POLL_SECONDS } from '../../../shared/console/people/sign-in-codes.ts'
import { Refusal } from '../../catalog/errors.ts'
import { boundedCaller, type Caller, type Session, type SignedIn } from '../account.ts'
import type { Directory } from '../directory.ts'
import type { Sessions } from '../sessions.ts'
import { drawToken, hashToken } from '../tokens.ts'
import type { Confirmations } from './confirmations.ts'
import { Begun, EnteredCodes, type SignInRequest } from './entered-codes.ts'
import { Sealed } from './sealed.ts'
import type { SignIn } from './sign-in.ts'
import type { SignInLimits } from './sign-in-limits.ts'
import type { SignInEntries } from './sign-in-state.ts'

/** Milliseconds that a code is valid. */
const CODE_TIME = 10 * 60_000
/** Milliseconds in which a command that waits asks again, also over a slow network. */
const PATIENCE = 3 * POLL_SECONDS * 1_000
/** Milliseconds between two looks whether a command has asked another server. */
const LOOK_INTERVAL = 250

/** Without vowels, so that no code is a word, and without what looks alike (RFC 8628 section 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const CODE_LENGTH = 8
const CODE = new RegExp(`^[${LETTERS}]{${CODE_LENGTH}}$`)

export type { SignInRequest } from './entered-codes.ts'

/** What became of a request so far. The token is in one answer alone. */
export type SignInProgress =
  | { readonly state: 'pending' | 'denied' | 'expired' }
  | ({ readonly state: 'signed_in' } & SignedIn)

interface Parts {
  readonly directory: Directory
  readonly sessions: Sessions
  readonly signIn: SignIn
  readonly limits: SignInLimits
  readonly confirmations: Confirmations
  readonly entries: SignInEntries
  /** See `Sealed`. */
  readonly key: Buffer
  /** Milliseconds in which a command that shows a code must ask; three times its interval by default. */
  readonly patience?: number | undefined
}

/**
 * Signing in on the command line, as RFC 8628 does it: the command shows a code, a person who is signed in enters it
 * in the console and confirms, and the command gets a session of its own.
 *
 * The command keeps its request, sealed, and shows it whenever it asks; only the codes that people enter are kept
 * by servers. So strangers can neither fill anything nor displace a code. The person and the command may reach different
 * servers.
 */
export class SignInCodes {
  readonly #parts: Parts
  readonly #requests: Sealed<Begun>
  readonly #entered: EnteredCodes
  #isStopped = false
  /** Resolves when a command has asked here for a code that was entered. */
  #heard = Promise.withResolvers<void>()

  constructor(parts: Parts) {
    this.#parts = parts
    const { key, entries, directory } = parts
    const clock = () => directory.now()
    const sealed = { key, purpose: 'sign-in code', schema: Begun, time: CODE_TIME, clock }
    this.#requests = new Sealed(sealed)
    this.#entered = new EnteredCodes(entries, clock)
  }

  /** Begins a sign-in. `deviceCode` is the secret of the command. `managesPeople`: what it asks for beside. */
  begin(
    computer: string,
    from: Caller,
    managesPeople = false,
  ): { readonly deviceCode: string; readonly request: SignInRequest } {
    const now = this.#parts.directory.now()
    const { address, userAgent: name } = boundedCaller({ ...from, userAgent: computer })
    const request = {
      ...{ userCode: drawCode(), computer: name, address },
      createdAt: new Date(now).toISOString(),
      expiresAt: new Date(now + CODE_TIME).toISOString(),
      ...(managesPeople ? { managesPeople } : {}),
    }
    return { deviceCode: this.#requests.seal({ id: drawToken(), request }), request }
  }

  /** Returns what became of a sign-in, and begins the session if it was confirmed. Works once then. */
  async poll(deviceCode: string, caller: Caller): Promise<SignInProgress> {
    const begun = this.#requests.open(deviceCode)
    if (begun === undefined) return { state: 'expired' }
    const { userCode } = begun.request
    const idHash = hashToken(begun.id)
    const entered = await this.#entered.hear(userCode, { idHash, request: begun.request })
    if (entered === undefined) return { state: 'pending' }
    this.#wake()
    const { decision } = entered
    if (entered.begun?.idHash !== idHash || decision === null) return { state: 'pending' }
    if (decision === 'answered') return { state: 'expired' }
    // A second question at the same time, here or on another server, gets nothing.
    if (!(await this.#entered.decide(userCode, decision, 'answered'))) return { state: 'expired' }
    if (decision === 'denied') return { state: 'denied' }
    try {
      return await this.#begin(decision.sessionId, begun.request, caller)
    } catch (error) {
      // The database may be writable again when the command asks next.
      await this.#entered.decide(userCode, 'answered', decision)
      throw error
    }
  }

  /** Returns what a code is about once its command asks, within seconds. Throws `sign_in_code_invalid` and `too_many_attempts`. */
  async find({ account }: Session, typed: string): Promise<SignInRequest> {
    const takeBack = await this.#parts.limits.beginGuess(account.id)
    const userCode = codeOf(typed)
    if (!CODE.test(userCode)) throw invalidCode()
    const { patience = PATIENCE } = this.#parts
    await this.#entered.enter(userCode, account.id, patience)
    if (!(await this.#isHeard(userCode, performance.now() + patience))) throw invalidCode()
    const shown = await this.#entered.show(userCode, account.id)
    if (shown === undefined) throw invalidCode()
    await takeBack()
    return shown
  }

  /**
   * Confirms or denies a sign-in that `find` has shown to the person. One that is to manage people takes a person who has
   * confirmed who they are. Throws `sign_in_code_invalid` and `confirmation_needed`.
   */
  async decide(session: Session, typed: string, confirmed: boolean): Promise<void> {
    const userCode = codeOf(typed)
    const request = (await this.#entered.read(userCode))?.begun?.request
    if (confirmed && request?.managesPeople) await this.#parts.confirmations.require(session)
    const decision = confirmed ? { sessionId: session.id } : 'denied'
    const isDecided = await this.#entered.decide(userCode, null, decision, session.account.id)
    if (!isDecided) throw invalidCode()
  }

  /** Answers whoever waits for a command. */
  stop(): void {
    this.#isStopped = true
    this.#wake()
  }

  async #begin(
    sessionId: string,
    { computer, managesPeople }: SignInRequest,
    { address }: Caller,
  ): Promise<SignInProgress> {
    const { sessions, signIn, directory } = this.#parts
    // Who confirmed may have signed out, or lost the session, since; or signed in on another server just before.
    await directory.refresh()
    const confirming = sessions.byId(sessionId)
    if (confirming === undefined) return { state: 'expired' }
    const { id } = confirming.account
    const caller = { address, userAgent: computer }
    const options = { kind: 'command_line', isGranted: managesPeople === true } as const
    const signedIn = await signIn.begin(id, caller, async () => {}, options)
    return { state: 'signed_in', ...signedIn }
  }

  /** Waits until a command has asked, here or on another server. */
  async #isHeard(userCode: string, deadline: number): Promise<boolean> {
    for (;;) {
      const heard = this.#heard.promise
      const entered = await this.#entered.read(userCode)
      if (entered === undefined || entered.decision !== null) return false
      if (entered.begun !== null) return true
      const left = deadline - performance.now()
      if (left <= 0 || this.#isStopped) return false
      const pause = new AbortController()
      const elapsed = delay(Math.min(LOOK_INTERVAL, left), undefined, { signal: pause.signal })
      await Promise.race([heard, elapsed])
      pause.abort()
      await elapsed.catch(() => {})
    }
  }

  #wake(): void {
    const heard = this.#heard
    this.#heard = Promise.withResolvers()
    heard.resolve()
  }
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
