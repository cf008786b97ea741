import { uuidv7 } from 'uuidv7'
import type { Actor } from '../../shared/events/audit.ts'
import { auditEntry } from '../catalog/audit-log.ts'
import { temporarily } from '../catalog/errors.ts'
import { type PeopleSnapshot, snapshotOf } from './snapshot.ts'
import type { PeopleStore, PeopleWrites } from './store.ts'

/** What the people take from their surroundings, unless it is given. */
export interface DirectoryParts {
  /** Unix time in milliseconds; the computer's clock by default. */
  readonly clock?: (() => number) | undefined
  /** A UUID that was never given before; version 7 by default. */
  readonly newId?: (() => string) | undefined
  /** The `ref` of an app, undefined if there is none with that key. */
  readonly appRef: (appKey: number) => string | undefined
  /** Called with every revision that is in memory after 0, nobody. */
  readonly onServed?: ((revision: number) => void) | undefined
}

/** A change of people, inside its transaction. */
export interface PeopleChange {
  readonly tx: PeopleWrites
  /** What is stored, as it was when the transaction began. */
  readonly stored: PeopleSnapshot
  /** The time of the change, ISO 8601, UTC. */
  readonly at: string
  /** Appends an entry to the audit log. */
  audit(actor: Actor, action: string, before: unknown, after: unknown): Promise<void>
}

/** The people in memory, and the only way to change them: a change is committed, then replaces the snapshot, then `change` answers. */
export class Directory {
  readonly appRef: (appKey: number) => string | undefined
  readonly #store: PeopleStore
  readonly #clock: () => number
  readonly #newId: () => string
  readonly #onServed: (revision: number) => void
  readonly #listeners = new Set<(next: PeopleSnapshot, previous: PeopleSnapshot) => void>()
  #snapshot: PeopleSnapshot = EMPTY

  private constructor(store: PeopleStore, parts: DirectoryParts) {
    const { clock = Date.now, newId = uuidv7, appRef, onServed = () => {} } = parts
    this.#store = store
    this.#clock = clock
    this.#newId = () => newId()
    this.appRef = appRef
    this.#onServed = onServed
  }

  /** Reads what is stored. */
  static async open(store: PeopleStore, parts: DirectoryParts): Promise<Directory> {
    const directory = new Directory(store, parts)
    await directory.refresh()
    return directory
  }

  get snapshot(): PeopleSnapshot {
    return this.#snapshot
  }

  get store(): PeopleStore {
    return this.#store
  }

  /** Unix time in milliseconds. */
  now(): number {
    return this.#clock()
  }

  newId(): string {
    return this.#newId()
  }

  /** Calls the listener after every change, also of another process, until the function that it returns is called. */
  onChange(listener: (next: PeopleSnapshot, previous: PeopleSnapshot) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Follows changes by other processes until the function that it returns is called. */
  watch(onFailure: (error: unknown) => void): () => void {
    return this.#store.watch({ onChange: () => this.refresh(), onFailure })
  }

  /** Loads what was committed, by whichever process. Takes microseconds if there is nothing new. */
  async refresh(): Promise<void> {
    const state = await this.#store.stateUnless(this.#snapshot.revision)
    // Two loads may overlap: the older one must not win. A restored database begins anew with its process.
    if (state === null || state.revision <= this.#snapshot.revision) return
    const previous = this.#snapshot
    this.#snapshot = snapshotOf(state)
    for (const listener of this.#listeners) listener(this.#snapshot, previous)
    this.#onServed(state.revision)
  }

  /** Runs `work` as one transaction and replaces the snapshot. Throws `Unavailable`, with nothing changed, if it cannot be written. */
  async change<T>(work: (change: PeopleChange) => Promise<T>): Promise<T> {
    const at = new Date(this.#clock()).toISOString()
    const result = await temporarily(() =>
      this.#store.transact(async (tx) => {
        const stored = snapshotOf(await tx.state())
        const audit: PeopleChange['audit'] = (actor, action, before, after) =>
          tx.appendAudit(auditEntry(at, actor, action, {}, before, after))
        return await work({ tx, stored, at, audit })
      }),
    )
    await this.refresh()
    return result
  }
}

const EMPTY: PeopleSnapshot = snapshotOf({
  revision: 0,
  accounts: [],
  appRoles: [],
  sessions: [],
  links: [],
  passkeys: [],
  totps: [],
  recoveryCodes: [],
  identities: [],
})
