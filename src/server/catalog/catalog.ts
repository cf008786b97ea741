import { v7 as uuidv7 } from 'uuid'
import { isTemporary, Refusal, Unavailable } from './errors.ts'
import { type CatalogApp, type CatalogChannel, loadSnapshot, type Snapshot } from './snapshot.ts'
import type { CatalogStore, CatalogWrites, TransactOptions } from './store.ts'

/** Milliseconds between two looks for changes that other processes made. */
const POLL_INTERVAL = 100

/** A store that can tell cheaply whether its file was changed since the last answer `true`. */
export interface WatchedCatalogStore extends CatalogStore {
  /** True where the committed catalog may differ from the one at `revision`. Never waits. */
  isNewerThan(revision: number): boolean
}

/** What a catalog takes from the machine, unless it is given. */
export interface CatalogParts {
  /** Unix time in milliseconds; that of the machine where it is left out. */
  readonly clock?: (() => number) | undefined
  /** A UUID that was never given before; version 7 where it is left out. */
  readonly newId?: (() => string) | undefined
  /** Called with the revision that is served, starting with the first. */
  readonly onServed?: ((revision: number) => void) | undefined
}

/**
 * The catalog in memory, and the one door through which it is changed. A change is committed
 * first; then the snapshot is replaced, before `change` answers.
 */
export class Catalog {
  readonly #store: WatchedCatalogStore
  readonly #onReloadFailure: (error: unknown) => void
  readonly #clock: () => number
  readonly #newId: () => string
  readonly #onServed: (revision: number) => void
  #snapshot: Snapshot
  #reloading: Promise<void> = Promise.resolve()
  #poll: NodeJS.Timeout | undefined
  #failing = false

  private constructor(
    store: WatchedCatalogStore,
    snapshot: Snapshot,
    onReloadFailure: (error: unknown) => void,
    { clock = Date.now, newId = uuidv7, onServed = () => {} }: CatalogParts,
  ) {
    this.#store = store
    this.#snapshot = snapshot
    this.#onReloadFailure = onReloadFailure
    this.#clock = clock
    this.#newId = () => newId()
    this.#onServed = onServed
    onServed(snapshot.revision)
  }

  /**
   * Reads the catalog. `onReloadFailure` is called when checks for changes by other processes begin to
   * fail, and again when they fail after a success.
   */
  static async open(
    store: WatchedCatalogStore,
    onReloadFailure: (error: unknown) => void = () => {},
    parts: CatalogParts = {},
  ): Promise<Catalog> {
    return new Catalog(store, await loadSnapshot(store), onReloadFailure, parts)
  }

  get snapshot(): Snapshot {
    return this.#snapshot
  }

  /** Unix time in milliseconds, by the clock that stamps every change. */
  now(): number {
    return this.#clock()
  }

  /** The same as ISO 8601, UTC. */
  timestamp(): string {
    return new Date(this.#clock()).toISOString()
  }

  /** A UUID for a new app or release. */
  newId(): string {
    return this.#newId()
  }

  get store(): CatalogStore {
    return this.#store
  }

  /** Checks for changes by other processes every 100 ms until `stop`. */
  watch(): void {
    this.#poll ??= setInterval(() => void this.#look(), POLL_INTERVAL).unref()
  }

  stop(): void {
    clearInterval(this.#poll)
    this.#poll = undefined
  }

  /** Takes in what other processes have committed until now. Costs microseconds where nothing has. */
  async refresh(): Promise<Snapshot> {
    if (this.#store.isNewerThan(this.#snapshot.revision)) await this.#reload()
    return this.#snapshot
  }

  /**
   * Runs `work` as one transaction and applies its result to the snapshot. Throws `Unavailable`
   * when the store cannot be written at the moment; then nothing is changed.
   */
  async change<T>(
    work: (tx: CatalogWrites) => Promise<T>,
    options: TransactOptions = {},
  ): Promise<T> {
    const result = await this.#write(work, options)
    await this.refresh()
    return result
  }

  async #write<T>(work: (tx: CatalogWrites) => Promise<T>, options: TransactOptions): Promise<T> {
    try {
      return await this.#store.transact(work, options)
    } catch (error) {
      throw isTemporary(error) ? new Unavailable(error) : error
    }
  }

  async #look(): Promise<void> {
    try {
      await this.refresh()
      this.#failing = false
    } catch (error) {
      if (!this.#failing) this.#onReloadFailure(error)
      this.#failing = true
    }
  }

  /** One reload at a time; a later one starts from the result of the earlier. */
  #reload(): Promise<void> {
    const next = this.#reloading
      .catch(() => {})
      .then(async () => {
        // The previous reload may have read this change already.
        if (!this.#store.isNewerThan(this.#snapshot.revision)) return
        this.#snapshot = await loadSnapshot(this.#store, this.#snapshot)
        this.#onServed(this.#snapshot.revision)
      })
    this.#reloading = next
    return next
  }
}

/** The app with that `ref` or `id`. Throws the refusal `unknown`. */
export function requireApp(snapshot: Snapshot, refOrId: string): CatalogApp {
  const app = snapshot.appByName.get(refOrId)
  if (app === undefined) throw new Refusal({ code: 'unknown_app', app: refOrId })
  return app
}

/** The channel of that name. Throws the refusal `unknown`. */
export function requireChannel(app: CatalogApp, name: string): CatalogChannel {
  const channel = app.channels.get(name)
  if (channel === undefined) {
    throw new Refusal({ code: 'unknown_channel', app: app.record.ref, channel: name })
  }
  return channel
}

/** The refusal for a version that the channel does not have. */
export function unknownRelease({ app, record }: CatalogChannel, version: string): Refusal {
  return new Refusal({ code: 'unknown_release', app: app.ref, channel: record.name, version })
}
