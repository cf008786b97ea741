import type { SessionKind } from '../../shared/access/person.ts'
import type { LastUses } from '../catalog/last-uses.ts'
import { boundedCaller, type Caller, personActor, type Session, type SignedIn } from './account.ts'
import type { Directory, PeopleChange } from './directory.ts'
import type { PeopleSnapshot } from './snapshot.ts'
import type { AccountRecord, SessionRecord } from './store.ts'
import { drawPeopleToken, drawToken, hashToken, isToken } from './tokens.ts'

/** Most sessions of an account; the oldest makes room for one more. */
const MAX_SESSIONS = 100

export interface SessionOptions {
  readonly kind: SessionKind
  /** Whether one of the command line manages people, too. */
  readonly isGranted: boolean
}

const BROWSER: SessionOptions = { kind: 'browser', isGranted: false }

export interface BegunSession {
  readonly token: string
  readonly id: string
}

/** The sessions: found in memory, begun and ended in the store. */
export class Sessions {
  readonly #directory: Directory
  readonly #usage: LastUses<string>
  readonly #listeners = new Set<(sessionId: string) => void>()
  /** Sessions that have expired, which listeners know, and that are still stored. */
  readonly #announced = new Set<string>()

  constructor(directory: Directory, usage: LastUses<string>) {
    this.#directory = directory
    this.#usage = usage
    directory.onChange((next, previous) => this.#forget(endedBetween(previous, next)))
  }

  /** Calls the listener with the ID of every session that ends, until the function that it returns is called. */
  onEnded(listener: (sessionId: string) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Returns the valid session of a token of that kind, and notes that it was used now. */
  find(token: string, kind: SessionKind): Session | undefined {
    if (!isToken(token)) return undefined
    const record = this.#directory.snapshot.sessionByTokenHash.get(hashToken(token))
    if (record?.kind !== kind || !this.#isValid(record)) return undefined
    this.#usage.note(record.id, this.#directory.now())
    return this.#view(record)
  }

  /** Returns a valid session by its ID, without noting a use. */
  byId(sessionId: string): Session | undefined {
    const record = this.#directory.snapshot.sessionById.get(sessionId)
    return record !== undefined && this.#isValid(record) ? this.#view(record) : undefined
  }

  /** The valid sessions of an account, last used first. */
  ofAccount(accountId: string): Session[] {
    const sessions = this.#directory.snapshot.accountById.get(accountId)?.sessions ?? []
    return sessions
      .filter((record) => this.#isValid(record))
      .flatMap((record) => this.#view(record) ?? [])
      .sort((one, other) => other.lastUsedAt.localeCompare(one.lastUsedAt))
  }

  /** When an account was last seen, by its sessions. Unix milliseconds; 0 if no session shows it. */
  lastSeen(accountId: string): number {
    const sessions = this.#directory.snapshot.accountById.get(accountId)?.sessions ?? []
    return Math.max(0, ...sessions.map((record) => this.#lastUsed(record)))
  }

  /** Begins a session inside a transaction; `signedIn` shows it once that is committed. */
  async begin(
    { tx, stored, at, audit }: PeopleChange,
    { id: accountId, name }: Pick<AccountRecord, 'id' | 'name'>,
    from: Caller,
    { kind, isGranted }: SessionOptions = BROWSER,
  ): Promise<BegunSession> {
    const caller = boundedCaller(from)
    const { address, userAgent } = caller
    const [token, id] = [isGranted ? drawPeopleToken() : drawToken(), this.#directory.newId()]
    const others = stored.accountById.get(accountId)?.sessions ?? []
    const surplus = others.slice(0, Math.max(0, others.length - MAX_SESSIONS + 1))
    await tx.deleteExpiredSessions(surplus.map((session) => session.id))
    await tx.insertSession({
      ...{ id, kind, accountId, tokenHash: hashToken(token), createdAt: at, lastUsedAt: at },
      expiresAt: new Date(Date.parse(at) + SESSION_TIME[kind]).toISOString(),
      ...{ address, userAgent },
    })
    const after = { name, address, userAgent, ...(isGranted ? { managesPeople: true } : {}) }
    await audit(personActor(name, caller, kind), 'session.started', null, after)
    return { token, id }
  }

  /** Returns a session that was begun and committed, for the one who gets its token. */
  signedIn({ token, id }: BegunSession): Omit<SignedIn, 'browser'> {
    const session = this.byId(id)
    if (session === undefined) throw new Error('the session ended as it began')
    return { token, session }
  }

  /** Ends sessions that are unused or old. Rejects when the store cannot be written; they are invalid all the same. */
  async sweep(): Promise<void> {
    const { snapshot } = this.#directory
    const expired = [...snapshot.sessionById.values()].filter((record) => !this.#isAlive(record))
    const links = snapshot.links.filter(
      ({ expiresAt }) => Date.parse(expiresAt) <= this.#directory.now(),
    )
    if (expired.length === 0 && links.length === 0) return
    const ids = expired.map(({ id }) => id)
    this.#announce(ids)
    await this.#directory.change(async ({ tx, stored }) => {
      const now = this.#directory.now()
      // Another process may have noted a later use.
      const isOver = (id: string) => {
        const record = stored.sessionById.get(id)
        return record !== undefined && endOf(record, Date.parse(record.lastUsedAt)) <= now
      }
      await tx.deleteExpiredSessions(ids.filter(isOver))
      await tx.deleteLinks(links.map(({ tokenHash }) => tokenHash))
    })
  }

  #isValid(record: SessionRecord): boolean {
    const owner = this.#directory.snapshot.accountById.get(record.accountId)
    return this.#isAlive(record) && owner !== undefined && owner.record.disabledAt === null
  }

  #isAlive(record: SessionRecord): boolean {
    return this.#directory.now() < endOf(record, this.#lastUsed(record))
  }

  #lastUsed({ id, lastUsedAt }: SessionRecord): number {
    return Math.max(Date.parse(lastUsedAt), this.#usage.lastUsed(id))
  }

  #view(record: SessionRecord): Session | undefined {
    const { id, kind, accountId, createdAt, expiresAt, address, userAgent } = record
    const account = this.#directory.snapshot.accountById.get(accountId)?.account
    if (account === undefined) return undefined
    const lastUsedAt = new Date(this.#lastUsed(record)).toISOString()
    return { id, kind, account, createdAt, lastUsedAt, expiresAt, address, userAgent }
  }

  #forget(ids: readonly string[]): void {
    this.#usage.forget(ids)
    this.#announce(ids)
    for (const id of ids) this.#announced.delete(id)
  }

  #announce(ids: readonly string[]): void {
    for (const id of ids) {
      if (this.#announced.has(id)) continue
      this.#announced.add(id)
      for (const listener of this.#listeners) listener(id)
    }
  }
}

/** The IDs of the sessions of an account, but one. */
export function sessionIdsOf(
  { accountById }: PeopleSnapshot,
  accountId: string,
  except?: string,
): string[] {
  const sessions = accountById.get(accountId)?.sessions ?? []
  return sessions.map(({ id }) => id).filter((id) => id !== except)
}

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Milliseconds without use after which a session of each kind ends. */
export const IDLE_TIME: Readonly<Record<SessionKind, number>> = {
  browser: 12 * HOUR,
  // A script that runs once a week keeps its session.
  command_line: 8 * DAY,
}

/** Milliseconds after which a session ends even if it is used. */
export const SESSION_TIME: Readonly<Record<SessionKind, number>> = {
  browser: 30 * DAY,
  command_line: 90 * DAY,
}

/** Returns when a session ends without further use, in Unix milliseconds. `lastUsed` likewise. */
export function endOf(
  { kind, expiresAt }: Pick<SessionRecord, 'kind' | 'expiresAt'>,
  lastUsed: number,
): number {
  return Math.min(Date.parse(expiresAt), lastUsed + IDLE_TIME[kind])
}

/** The IDs of sessions that one snapshot has and a later one does not. */
function endedBetween(previous: PeopleSnapshot, next: PeopleSnapshot): string[] {
  return [...previous.sessionById.keys()].filter((id) => !next.sessionById.has(id))
}
