import type {
  CatalogChanges,
  CatalogListener,
  CatalogStore,
  TransactOptions,
} from '../../catalog/store.ts'
import type { OutboxStore } from '../../outbound/outbox/store.ts'
import type { PeopleStore } from '../../people/store.ts'
import type { Areas, Notes } from './areas.ts'
import { catalogReads } from './catalog.ts'
import { outboxReads } from './outbox.ts'
import { peopleState } from './people.ts'
import { recordReads } from './records.ts'
import { isFirstOffer, releasesSince } from './releases.ts'
import { sessionReads } from './sessions.ts'
import type { Questions } from './statements.ts'

/** Finds what was committed to the catalog since a revision. */
class CatalogChangeReader {
  /** The channels as last returned: releases carry the revision of their channel. */
  #answered = { revision: 0, channels: new Map<number, number>() }

  /** What changed after `since`; all releases if that is not the revision of the last call. `questions`: one snapshot. */
  async read(questions: Questions, since: number): Promise<CatalogChanges> {
    const answered = since === this.#answered.revision ? this.#answered.channels : new Map()
    const records = recordReads(questions)
    const revision = await records.revision()
    const [apps, channels] = [await records.apps(), await records.channels()]
    const keys = await records.keys()
    const known = channels
      .filter((channel) => channel.revision !== answered.get(channel.key))
      .map(({ key: channel }) => ({ channel, revision: answered.get(channel) ?? 0 }))
    const releases = await releasesSince(questions, known)
    const seen = new Map(channels.map((channel) => [channel.key, channel.revision]))
    this.#answered = { revision, channels: seen }
    return { revision, apps, channels, keys, releases }
  }
}

/** The catalog in a database. Rejects with `StorageError`, besides the refusals of its interface. */
export function catalogStore(part: StoredPart): Closing<CatalogStore> {
  const changes = new CatalogChangeReader()
  return {
    ...catalogReads(part.committed),
    ...sessionReads(part.committed),
    transact: (work, options) => part.transact('catalog', work, options),
    async changesSince(revision) {
      // Nearly always nothing has changed.
      if ((await part.revision()) === revision) return null
      return await part.committed.atOnce((now) => changes.read(now, revision))
    },
    watch: (listener) => part.watch(listener),
    async offerFirst(releaseId, seenRevision, options) {
      // Every process learns late that a release was offered: most find that out without a lock.
      if (!(await isFirstOffer(part.committed, releaseId, seenRevision))) return false
      const offer = (notes: Notes) => notes.offerFirst(releaseId, seenRevision)
      return await part.transact('notes', offer, options)
    },
    async recordKeyUse(uses) {
      if (uses.length > 0) await part.transact('notes', (notes) => notes.keysUsed(uses))
    },
    async addSessions(tallies) {
      await part.transact('notes', (notes) => notes.sessionsCounted(tallies))
    },
    async recordReadings(plan, readings, options) {
      await part.transact('notes', (notes) => notes.gateRead(plan, readings), options)
    },
    close: () => part.close(),
  }
}

/** Accounts and sessions in a database. Rejects with `StorageError`, besides the refusals of its interface. */
export function peopleStore(part: StoredPart): Closing<PeopleStore> {
  return {
    transact: (work) => part.transact('people', work),
    async stateUnless(revision) {
      if ((await part.revision()) === revision) return null
      return await part.committed.atOnce(peopleState)
    },
    watch: (listener) => part.watch(listener),
    async recordSessionUse(uses) {
      if (uses.length > 0) await part.transact('notes', (notes) => notes.sessionsUsed(uses))
    },
    close: () => part.close(),
  }
}

/** Webhooks and deliveries in a database. Rejects with `StorageError`. */
export function outboxStore(part: StoredPart): Closing<OutboxStore> {
  return {
    ...outboxReads(part.committed),
    transact: (work, options) => part.transact('outbox', work, options),
    revision: () => part.newest(),
    close: () => part.close(),
  }
}

/** A part of a database as its store uses it, on either engine. Rejects with `StorageError`. */
export interface StoredPart {
  /** Asks for what is committed. */
  readonly committed: Questions
  /** The committed revision. */
  revision(): Promise<number>
  /** The newest revision that this process knows of. Takes microseconds. */
  newest(): number
  /** See `CatalogStore.watch`. */
  watch(listener: CatalogListener): () => void
  /** See `CatalogStore.transact`. */
  transact<Area extends keyof Areas, T>(
    area: Area,
    work: (area: Areas[Area]) => Promise<T>,
    options?: TransactOptions,
  ): Promise<T>
  /** A transaction in progress is undone. */
  close(): Promise<void>
}

/** A store, until `close`. */
export type Closing<Store> = Store & { close(): Promise<void> }
