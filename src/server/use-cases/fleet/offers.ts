import type { Catalog } from '../../catalog/catalog.ts'
import { Unavailable } from '../../catalog/errors.ts'
import type { ReleaseRecord } from '../../catalog/records.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import { within } from '../../runtime/async/within.ts'

/** Milliseconds after which a first offer that is not yet durable is refused. */
const OFFER_TIME = 3_000
/** Maximum number of decisions that wait for first offers at a time. */
const MAX_WAITING = 1_000

/** The part of a decision that concerns offers. */
export interface Plan {
  /** The channel that the decision is based on. */
  readonly channel: CatalogChannel
  /** The releases that it offers, in the state that the decision is based on. */
  readonly offered: Iterable<ReleaseRecord>
}

export interface OffersOptions {
  /** Milliseconds within which a first offer is durable, or is refused. 3 s by default. */
  readonly within?: number | undefined
  /** Called once for every failed write, no matter how many decisions wait for it. */
  readonly onFailure?: ((error: unknown) => void) | undefined
}

/** Makes "offered" durable before the first response that offers a release. Concurrent offers share one write. */
export class Offers {
  readonly #catalog: Catalog
  readonly #within: number
  readonly #onFailure: (error: unknown) => void
  /** By the id of the release. */
  readonly #pending = new Map<string, Promise<void>>()
  #waiting = 0

  constructor(catalog: Catalog, { within = OFFER_TIME, onFailure = () => {} }: OffersOptions = {}) {
    this.#catalog = catalog
    this.#within = within
    this.#onFailure = onFailure
  }

  /**
   * Repeats the decision until everything that it offers is durable and the channel has not changed in
   * the meantime. The plan is current when the promise resolves.
   *
   * Throws `Unavailable` when that takes more than 3 s, or immediately when 1,000 decisions already wait;
   * also throws whatever `decide` throws.
   */
  async settle<Decided extends Plan>(decide: () => Decided | Promise<Decided>): Promise<Decided> {
    const deadline = performance.now() + this.#within
    do {
      const plan = await decide()
      const fresh = [...plan.offered].filter(({ offered }) => !offered)
      if (fresh.length > 0) await this.#make(fresh, deadline)
      else if (this.isCurrent(plan)) return plan
    } while (performance.now() < deadline)
    throw new Unavailable()
  }

  /** Returns whether the channel is unchanged since the plan was made. Very cheap. */
  isCurrent({ channel }: Plan): boolean {
    const { channelByKey, appByName } = this.#catalog.snapshot
    const { compiled, app } = channel
    return channelByKey.get(channel.record.key)?.compiled === compiled && appByName.has(app.id)
  }

  async #make(releases: readonly ReleaseRecord[], deadline: number): Promise<void> {
    if (this.#waiting >= MAX_WAITING) throw new Unavailable()
    this.#waiting++
    try {
      const made = Promise.all(releases.map((release) => this.#share(release)))
      // What is late goes on, for later callers.
      await within(deadline - performance.now(), made, () => {
        throw new Unavailable()
      })
    } finally {
      this.#waiting--
    }
  }

  #share(release: ReleaseRecord): Promise<void> {
    const pending = this.#pending.get(release.id)
    if (pending !== undefined) return pending
    const made = this.#catalog
      .offerFirst(release, { within: this.#within })
      .catch((error) => {
        this.#onFailure(error)
        throw error
      })
      .finally(() => this.#pending.delete(release.id))
    this.#pending.set(release.id, made)
    return made
  }
}
