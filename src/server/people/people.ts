import type { SessionKind } from '../../shared/access/person.ts'
import type { Actor } from '../../shared/events/audit.ts'
import { accessChangedBetween } from './access.ts'
import type {
  Account,
  Caller,
  IssuedLink,
  LinkView,
  OpenLink,
  SecondFactorCode,
  Session,
  SignedIn,
  SignInResult,
} from './account.ts'
import { requirePerson } from './administration.ts'
import { type ConnectedPeople, connectPeople, type PeopleParts } from './connect-people.ts'
import { Directory } from './directory.ts'
import type { Passkeys } from './factors/passkeys.ts'
import { Invitations } from './invitations.ts'
import { acceptLink, createFirst, createSetupLink, lookUpLink, openLinkOf } from './links.ts'
import type { OwnAccount } from './own-account.ts'
import type { SingleSignOn } from './provider/single-sign-on.ts'
import type { Confirmations } from './sign-in/confirmations.ts'
import { knownBrowser } from './sign-in/known.ts'
import type { SignInCodes } from './sign-in/sign-in-codes.ts'
import { availableState, signInStateInMemory } from './sign-in/sign-in-state.ts'
import type { StoredAccount } from './snapshot.ts'
import type { PeopleStore } from './store.ts'

export type { Acting } from './administration.ts'

/** Milliseconds between two looks for sessions that have expired. */
const SWEEP_INTERVAL = 30_000

/**
 * The people who can sign in, and their sessions: in memory for whoever asks, in the store for good.
 * Beside the refusals that each method names, changes throw `Unavailable` when the store cannot be
 * written right now.
 */
export class People extends Invitations {
  /** What people do with their own accounts. */
  readonly own: OwnAccount
  /** Who has confirmed lately that it is them. */
  readonly confirmations: Confirmations
  readonly passkeys: Passkeys
  /** Signing in on the command line by a code. */
  readonly codes: SignInCodes
  /** Null without an identity provider. */
  readonly singleSignOn: SingleSignOn | null
  readonly #made: ConnectedPeople
  #unwatch: (() => void) | undefined
  #sweeping: NodeJS.Timeout | undefined

  private constructor(directory: Directory, made: ConnectedPeople) {
    super(directory)
    this.#made = made
    this.own = made.own
    this.confirmations = made.confirmations
    this.passkeys = made.passkeys
    this.codes = made.codes
    this.singleSignOn = made.singleSignOn
  }

  /** Reads who there is. */
  static async open(store: PeopleStore, parts: PeopleParts): Promise<People> {
    const { clock = Date.now, limitsClock } = parts
    const state = parts.signInState ?? signInStateInMemory({ clock, limitsClock })
    const directory = await Directory.open(store, parts)
    const key = await state.sealingKey()
    return new People(directory, connectPeople(directory, availableState(state), key, parts))
  }

  /** Follows changes by other processes, and ends what expires, until `stop`. */
  watch(): void {
    this.#unwatch ??= this.directory.watch(this.#made.onFailure)
    const sweep = () => void this.#made.sessions.sweep().catch(this.#made.onFailure)
    this.#sweeping ??= setInterval(sweep, SWEEP_INTERVAL).unref()
  }

  /** Writes what waits. */
  async stop(): Promise<void> {
    this.#unwatch?.()
    this.#unwatch = undefined
    clearInterval(this.#sweeping)
    this.#sweeping = undefined
    this.codes.stop()
    await this.#made.usage.stop()
  }

  /** Ends what has expired; `watch` does so now and then. Rejects when the store cannot be written. */
  sweep(): Promise<void> {
    return this.#made.sessions.sweep()
  }

  /** Calls the listener after every change of people, until the function that it returns is called. */
  onChange(listener: () => void): () => void {
    return this.directory.onChange(() => listener())
  }

  /** Calls the listener with the ID of every session that ends, for whatever reason, until the function that it returns is called. */
  onSessionEnded(listener: (sessionId: string) => void): () => void {
    return this.#made.sessions.onEnded(listener)
  }

  /** Calls the listener with the ID of every account whose roles change, until the function that it returns is called. */
  onAccessChanged(listener: (accountId: string) => void): () => void {
    return this.directory.onChange((next, previous) => {
      for (const id of accessChangedBetween(previous, next)) listener(id)
    })
  }

  /** Grows with every change of people. */
  get revision(): number {
    return this.directory.snapshot.revision
  }

  /** Whether there is any account; until then the console is set up by a link. */
  hasAccounts(): boolean {
    return this.directory.snapshot.accounts.length > 0
  }

  /** Returns whether somebody has signed in from a browser to an account that is enabled: see `markBrowser`. */
  knowsBrowser(mark: string | undefined): boolean {
    if (mark === undefined) return false
    return this.directory.snapshot.accounts.some(
      ({ record }) => record.disabledAt === null && knownBrowser(mark, record) !== undefined,
    )
  }

  /** Issues the link that creates the first administrator, and voids an earlier one. Throws `already_set_up`. */
  createSetupLink(): Promise<IssuedLink> {
    return createSetupLink({ directory: this.directory })
  }

  /** See `createFirst` in links.ts. */
  createFirst(
    input: { readonly name: string; readonly password: string },
    actor: Actor,
  ): Promise<boolean> {
    return createFirst(this.#made.linkParts, input, actor)
  }

  /** Returns what a link is for, or undefined if it is unknown, used or expired. */
  lookUpLink(token: string): LinkView | undefined {
    return lookUpLink(this.directory, token)
  }

  /** See `acceptLink` in links.ts. `name` is for a setup link only. */
  acceptLink(
    token: string,
    input: { readonly name?: string | undefined; readonly password: string },
    caller: Caller,
  ): Promise<SignInResult> {
    return acceptLink(this.#made.linkParts, token, input, caller)
  }

  /** Throws `sign_in_failed`, `sign_in_busy` and `too_many_attempts`. */
  signIn(
    credentials: { readonly name: string; readonly password: string },
    caller: Caller,
  ): Promise<SignInResult> {
    return this.#made.signIn.withPassword(credentials, caller)
  }

  /** Throws `second_factor_wrong`, `sign_in_expired`, `sign_in_failed` and `too_many_attempts`. */
  completeSecondFactor(
    challenge: string,
    code: SecondFactorCode,
    caller: Caller,
  ): Promise<SignedIn> {
    return this.#made.signIn.withSecondFactor(challenge, code, caller)
  }

  /** Returns the session of a token of that kind that is still valid, and notes that it was used. From memory. */
  find(token: string, kind: SessionKind = 'browser'): Session | undefined {
    return this.#made.sessions.find(token, kind)
  }

  /** All accounts, by name. */
  list(): readonly Account[] {
    return this.directory.snapshot.accounts.map((stored) => this.#seen(stored))
  }

  /** The account of that ID. */
  account(accountId: string): Account | undefined {
    const stored = this.directory.snapshot.accountById.get(accountId)
    return stored && this.#seen(stored)
  }

  /** The valid link of an account, undefined if there is none. */
  openLinkOf(accountId: string): OpenLink | undefined {
    return openLinkOf(this.directory, accountId)
  }

  /** The valid sessions of an account, last used first. Throws `unknown_person`. */
  sessionsOf(accountId: string): readonly Session[] {
    requirePerson(this.directory.snapshot, accountId)
    return this.#made.sessions.ofAccount(accountId)
  }

  /** Returns the `vouchedBy` of an account; undefined if there is no such account. */
  voucherOf(accountId: string): string | null | undefined {
    return this.directory.snapshot.accountById.get(accountId)?.record.vouchedBy
  }

  #seen({ record, account }: StoredAccount): Account {
    const stored = record.lastSeenAt === null ? 0 : Date.parse(record.lastSeenAt)
    const last = Math.max(stored, this.#made.sessions.lastSeen(record.id))
    return last === 0 ? account : { ...account, lastSeenAt: new Date(last).toISOString() }
  }
}
