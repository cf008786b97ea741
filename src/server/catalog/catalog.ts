import { uuidv7 } from 'uuidv7'
import type { Artifact } from '../../shared/releases/release.ts'
import { sharedRuns } from '../runtime/async/shared-runs.ts'
import { Refusal, temporarily } from './errors.ts'
import type { ReleaseRecord } from './records.ts'
import {
  applyChanges,
  type CatalogApp,
  type CatalogChannel,
  EMPTY_SNAPSHOT,
  type ServedRelease,
  type Snapshot,
} from './snapshot.ts'
import type { CatalogStore, CatalogWrites, TransactOptions } from './store.ts'

/** What a catalog takes from the computer, unless it is given. */
export interface CatalogParts {
  /** Unix time in milliseconds; the computer's clock by default. */
  readonly clock?: (() => number) | undefined
  /** A UUID that was never given before; version 7 by default. */
  readonly newId?: (() => string) | undefined
  /** Called with every revision that is served after 0, the empty catalog. */
  readonly onServed?: ((revision: number) => void) | undefined
}

/** Throws, or rejects, if a release may not have these artifacts. */
type ArtifactGuard = (artifacts: readonly Artifact[]) => void | Promise<void>

/** The catalog in memory, and the only way to change it: a change is committed, then replaces the snapshot, then `change` answers. */
export class Catalog {
  readonly #store: CatalogStore
  readonly #onReloadFailure: (error: unknown) => void
  readonly #clock: () => number
  readonly #newId: () => string
  readonly #onServed: (revision: number) => void
  #snapshot: Snapshot = EMPTY_SNAPSHOT
  #unwatch: (() => void) | undefined
  #refuseArtifacts: ArtifactGuard = () => {}
  /** Loads what other processes have committed. */
  readonly refresh = sharedRuns(() => this.#load())

  private constructor(
    store: CatalogStore,
    onReloadFailure: (error: unknown) => void,
    { clock = Date.now, newId = uuidv7, onServed = () => {} }: CatalogParts,
  ) {
    this.#store = store
    this.#onReloadFailure = onReloadFailure
    this.#clock = clock
    this.#newId = () => newId()
    this.#onServed = onServed
  }

  /** Reads the catalog. `onReloadFailure` hears when checks for changes of other processes begin to fail. */
  static async open(
    store: CatalogStore,
    onReloadFailure: (error: unknown) => void = () => {},
    parts: CatalogParts = {},
  ): Promise<Catalog> {
    const catalog = new Catalog(store, onReloadFailure, parts)
    await catalog.#load()
    return catalog
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

  /** What looks at the artifacts of a release inside the transaction that publishes it, and throws what refuses them. */
  guardArtifacts(refuse: ArtifactGuard): void {
    this.#refuseArtifacts = refuse
  }

  /** Rejects as what `guardArtifacts` has set does. */
  async refuseArtifacts(artifacts: readonly Artifact[]): Promise<void> {
    await this.#refuseArtifacts(artifacts)
  }

  /** Follows changes by other processes until `stop`. */
  watch(): void {
    this.#unwatch ??= this.#store.watch({
      onChange: async () => void (await this.refresh()),
      onFailure: this.#onReloadFailure,
    })
  }

  stop(): void {
    this.#unwatch?.()
    this.#unwatch = undefined
  }

  /**
   * Runs `work` as one transaction, at a moment in ISO 8601, and replaces the snapshot. Throws `Unavailable`, with nothing
   * changed, if it cannot be written.
   */
  async change<T>(
    work: (tx: CatalogWrites, at: string) => Promise<T>,
    options: TransactOptions = {},
  ): Promise<T> {
    const inTransaction = (tx: CatalogWrites) => work(tx, this.timestamp())
    const result = await temporarily(() => this.#store.transact(inTransaction, options))
    await this.refresh()
    return result
  }

  /** Stores that a release was offered, unless it has changed, and refreshes the snapshot. Throws `Unavailable` as `change` does. */
  async offerFirst({ id, revision }: ReleaseRecord, options: TransactOptions = {}): Promise<void> {
    await temporarily(() => this.#store.offerFirst(id, revision, options))
    await this.refresh()
  }

  async #load(): Promise<Snapshot> {
    const changes = await this.#store.changesSince(this.#snapshot.revision)
    if (changes === null) return this.#snapshot
    this.#snapshot = applyChanges(this.#snapshot, changes)
    this.#onServed(this.#snapshot.revision)
    return this.#snapshot
  }
}

/** Returns what `find` finds, after another look for what another process may have made seconds ago. Throws what `find` throws. */
export async function findServed<Found>(
  catalog: Catalog,
  find: (snapshot: Snapshot) => Found,
): Promise<Found> {
  try {
    return find(catalog.snapshot)
  } catch (error) {
    if (!(error instanceof Refusal && error.kind === 'unknown')) throw error
    return find(await catalog.refresh())
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

/** Returns the release of a channel with that canonical version, whatever its status. */
export function releaseOn(
  { compiled }: CatalogChannel,
  version: string,
): ServedRelease | undefined {
  return compiled.releases.find(({ facts }) => facts.version === version)
}

/** Returns the same. Throws the refusal `unknown_release` if there is none. */
export function requireRelease(channel: CatalogChannel, version: string): ServedRelease {
  const release = releaseOn(channel, version)
  if (release === undefined) throw unknownRelease(channel, version)
  return release
}

/** The refusal for a version that the channel does not have. */
export function unknownRelease({ app, record }: CatalogChannel, version: string): Refusal {
  return new Refusal({ code: 'unknown_release', app: app.ref, channel: record.name, version })
}
