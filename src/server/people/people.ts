import type { Actor } from '../../shared/audit.ts'
import type { Access } from '../updates/access.ts'
import type {
  Account,
  Caller,
  IssuedLink,
  LinkView,
  SecondFactorCode,
  Session,
  SignedIn,
  SignInResult,
} from './account.ts'

/** Who administers people. */
export interface Acting {
  readonly actor: Actor
  /** Their own account; null on the server's machine. */
  readonly accountId: string | null
}

/**
 * The people who can sign in, and their sessions: in memory for whoever asks, in the store for good.
 * Beside the refusals that each method names, changes throw `Unavailable` when the store cannot be
 * written right now.
 */
export interface PeopleService {
  /** Whether there is any account; until then the console is set up by a link. */
  hasAccounts(): boolean
  /** Issues the link that creates the first administrator, and voids an earlier one. Throws `already_set_up`. */
  createSetupLink(): Promise<IssuedLink>
  /** Returns what a link is for, or undefined if it is unknown, used or expired. */
  lookUpLink(token: string): LinkView | undefined
  /**
   * Sets the password of the link's account and signs in. `name` is for a setup link only. Throws
   * `link_invalid`, `password_weak`, `name_taken`, `invalid_input` and `too_many_attempts`.
   */
  acceptLink(
    token: string,
    input: { readonly name?: string | undefined; readonly password: string },
    caller: Caller,
  ): Promise<SignedIn>
  /** Throws `sign_in_failed` and `too_many_attempts`. */
  signIn(
    credentials: { readonly name: string; readonly password: string },
    caller: Caller,
  ): Promise<SignInResult>
  /** Throws `second_factor_wrong`, `sign_in_failed` (challenge expired) and `too_many_attempts`. */
  completeSecondFactor(challenge: string, code: SecondFactorCode, caller: Caller): Promise<SignedIn>
  /** Returns the session of a token that is still valid, and notes that it was used. From memory. */
  find(token: string): Session | undefined
  /** Calls the listener with the ID of every session that ends, for whatever reason, until the function that it returns is called. */
  onSessionEnded(listener: (sessionId: string) => void): () => void
  /** Ends a session. Does nothing if it has ended. */
  endSession(by: Acting, sessionId: string): Promise<void>
  /** Ends the other sessions of the account. Returns how many. */
  endOtherSessions(session: Session): Promise<number>
  /** Changes the password and ends all other sessions. Throws `sign_in_failed`, `password_weak` and `too_many_attempts`. */
  changePassword(
    session: Session,
    passwords: { readonly current: string; readonly next: string },
    caller: Caller,
  ): Promise<void>
  /** All accounts, by name. */
  list(): readonly Account[]
  /** The valid sessions of an account, last used first. Throws `unknown_person`. */
  sessionsOf(accountId: string): readonly Session[]
  /** Adds an account that has no password yet. Throws `name_taken` and `invalid_input`. */
  invite(
    by: Acting,
    input: { readonly name: string; readonly access: Access },
  ): Promise<IssuedLink & { readonly account: Account }>
  /** Issues a link that sets a new password, or the first one, and voids earlier ones. Throws `unknown_person`. */
  createResetLink(by: Acting, accountId: string): Promise<IssuedLink>
  /** Throws `unknown_person`, `own_access` and `last_administrator`, as do the two below. */
  setAccess(by: Acting, accountId: string, access: Access): Promise<Account>
  /** Disabling ends all sessions of the account. */
  setDisabled(by: Acting, accountId: string, isDisabled: boolean): Promise<Account>
  /** Removes the account with its sessions. The audit log keeps its name. */
  remove(by: Acting, accountId: string): Promise<void>
}
