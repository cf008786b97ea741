import type { Catalog } from './catalog.ts'
import { Unavailable } from './errors.ts'
import type { CatalogChannel } from './snapshot.ts'
import type { ReleaseRecord } from './store.ts'

/** Milliseconds within which a first offer is durable, or is refused. */
const OFFER_TIME = 3_000
/** How many decisions may wait for first offers at a time. */
const MAX_WAITING = 1_000

/** What was decided, as far as offers are concerned. */
export interface Plan {
  /** By which it was decided. */
  readonly channel: CatalogChannel
  /** The releases that it offers, each as it was decided on. */
  readonly offered: Iterable<ReleaseRecord>
}

export interface OffersOptions {
  /** Milliseconds within which a first offer is durable, or is refused. 3 s by default. */
  readonly within?: number | undefined
  /** Hears of every transaction that failed, once, however many wait for it. */
  readonly onFailure?: ((error: unknown) => void) | undefined
}

/**
 * Makes "offered" durable before the first answer that offers a release may leave. All who offer a
 * release at a time share one transaction.
 */
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
   * Decides again and again, until nothing that is offered is not durable, and the channel is still
   * the one that was decided by. The plan is that of the present when the promise resolves.
   *
   * Throws `Unavailable` when that takes more than 3 s, and at once where 1,000 wait already; and
   * whatever `decide` throws.
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

  /** Whether the channel is served as it was when the plan was made. Costs next to nothing. */
  isCurrent({ channel }: Plan): boolean {
    const { channelByKey, appByName } = this.#catalog.snapshot
    const { compiled, app } = channel
    return channelByKey.get(channel.record.key)?.compiled === compiled && appByName.has(app.id)
  }

  async #make(releases: readonly ReleaseRecord[], deadline: number): Promise<void> {
    if (this.#waiting >= MAX_WAITING) throw new Unavailable()
    this.#waiting++
    try {
      await before(deadline, Promise.all(releases.map((release) => this.#share(release))))
    } finally {
      this.#waiting--
    }
  }

  #share(release: ReleaseRecord): Promise<void> {
    const pending = this.#pending.get(release.id)
    if (pending !== undefined) return pending
    const made = markOffered(this.#catalog, release, this.#within)
      .catch((error) => {
        this.#onFailure(error)
        throw error
      })
      .finally(() => this.#pending.delete(release.id))
    this.#pending.set(release.id, made)
    return made
  }
}

/**
 * Stores that the release was offered, unless what is stored differs from what was decided on,
 * because another process changed it since: without this a lowered percentage and a first offer
 * could pass each other. The snapshot is fresh afterwards, for the caller to decide again.
 */
async function markOffered(
  catalog: Catalog,
  decided: ReleaseRecord,
  within: number,
): Promise<void> {
  await catalog.change(
    async (tx) => {
      const stored = await tx.release(decided.channelKey, decided.version)
      if (stored === undefined || !sameServing(stored, decided)) return
      if (!stored.offered) await tx.setOffered(stored.id)
    },
    { within },
  )
}

function sameServing(one: ReleaseRecord, other: ReleaseRecord): boolean {
  return (
    one.id === other.id &&
    one.status === other.status &&
    one.rolloutPct === other.rolloutPct &&
    JSON.stringify(one.targets) === JSON.stringify(other.targets)
  )
}

/** Rejects with `Unavailable` at the deadline. The work goes on, for those who ask later. */
async function before<T>(deadline: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Unavailable()), deadline - performance.now())
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
