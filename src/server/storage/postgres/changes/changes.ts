import { setTimeout as delay } from 'node:timers/promises'
import type { CatalogListener } from '../../../catalog/store.ts'
import type { Part } from '../../relational/statements.ts'
import { watchRevision } from '../../shared/watch.ts'
import type { PostgresDatabase } from '../connection/database.ts'
import { storageError } from '../connection/errors.ts'
import { FILES, type Revisions } from '../transactions/parts.ts'
import { Listening } from './listening.ts'

/** Milliseconds until the first attempt to connect again; twice as long after each that fails, up to the last. */
const FIRST_DELAY = 100
const LAST_DELAY = 2_000

/**
 * Hears of the commits of all nodes, on one connection of its own: by notifications, and every second for those that were
 * lost. Connects again when the connection ends.
 */
export class Changes {
  readonly #database: PostgresDatabase
  readonly #watchers = new Map<() => void, Part | typeof FILES>()
  readonly #hearers = new Set<(message: string) => void>()
  readonly #closing = new AbortController()
  #listening: Listening | undefined
  #revisions: Revisions
  #failure: Error | undefined
  #ended: Promise<void>

  /** Rejects with `StorageError` if the database cannot be reached. */
  static async open(database: PostgresDatabase): Promise<Changes> {
    const listening = await Listening.begin(database)
    return new Changes(database, listening)
  }

  private constructor(database: PostgresDatabase, listening: Listening) {
    this.#database = database
    this.#revisions = listening.revisions
    this.#ended = this.#keep(listening)
  }

  /**
   * Calls `onCommit` after commits that wrote the part, or the files that all nodes know, and when commits may have been missed, until the function that it
   * returns is called. Never calls it before it returns.
   */
  watch(part: Part | typeof FILES, onCommit: () => void): () => void {
    const watcher = () => onCommit()
    this.#watchers.set(watcher, part)
    return () => this.#watchers.delete(watcher)
  }

  /** Watches as the stores do: see `CatalogStore.watch`. */
  announce(part: Part, listener: CatalogListener): () => void {
    const notify = (look: () => void) => this.watch(part, look)
    return watchRevision(() => this.#current(part), listener, notify)
  }

  /**
   * Calls `onMessage` with what nodes send to each other, until the function that it returns is called. Messages are lost
   * while there is no connection.
   */
  hear(onMessage: (message: string) => void): () => void {
    const hearer = (message: string) => onMessage(message)
    this.#hearers.add(hearer)
    if (this.#hearers.size === 1) this.#listening?.setMessages(true)
    return () => {
      if (this.#hearers.delete(hearer) && this.#hearers.size === 0) {
        this.#listening?.setMessages(false)
      }
    }
  }

  /** The newest revision of a part that this node knows of. */
  newest(part: Part): number {
    return this.#revisions[part]
  }

  /** Notes a revision that this node has committed. */
  note(part: Part, revision: number): void {
    this.#see({ ...this.#revisions, [part]: Math.max(revision, this.#revisions[part]) })
  }

  /** Ends the connection. Idempotent. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#ended
  }

  #current(part: Part): number {
    if (this.#failure !== undefined) throw this.#failure
    return this.#revisions[part]
  }

  #see(seen: Revisions): void {
    const before = this.#revisions
    this.#revisions = seen
    for (const [watcher, part] of this.#watchers) {
      if (part !== FILES && seen[part] !== before[part]) watcher()
    }
  }

  #seeFiles(): void {
    for (const [watcher, part] of this.#watchers) if (part === FILES) watcher()
  }

  async #keep(first: Listening): Promise<void> {
    const { signal } = this.#closing
    let listening: Listening | undefined = first
    let wait = FIRST_DELAY
    const heard = {
      onSeen: (seen: Revisions) => this.#see(newest(seen, this.#revisions)),
      onFiles: () => this.#seeFiles(),
      onMessage: (message: string) => {
        for (const hearer of this.#hearers) hearer(message)
      },
    }
    while (!signal.aborted) {
      try {
        listening ??= await Listening.begin(this.#database)
        wait = FIRST_DELAY
        this.#begin(listening.revisions)
        this.#listening = listening
        if (this.#hearers.size > 0) listening.setMessages(true)
        await listening.follow(heard, signal)
      } catch (error) {
        this.#failure = storageError(error, this.#database.location)
        await delay(wait, undefined, { signal }).catch(() => {})
        wait = Math.min(2 * wait, LAST_DELAY)
      }
      listening = undefined
      this.#listening = undefined
    }
  }

  /** Revisions can be lower than before: a failover may have lost commits. */
  #begin(revisions: Revisions): void {
    const wasLost = this.#failure !== undefined
    this.#failure = undefined
    this.#see(revisions)
    if (wasLost) for (const watcher of this.#watchers.keys()) watcher()
  }
}

/** An answer may be older than a commit of this node. */
function newest(one: Revisions, other: Revisions): Revisions {
  return {
    catalog: Math.max(one.catalog, other.catalog),
    people: Math.max(one.people, other.people),
    outbox: Math.max(one.outbox, other.outbox),
  }
}
