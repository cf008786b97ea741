import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AuditFilter, AuditSpan } from '../../catalog/audit-log.ts'
import type { CatalogReads } from '../../catalog/store.ts'
import { keepLatest } from '../../runtime/keep-latest.ts'

/** Approximate milliseconds that one read of the log may block the server's thread. */
const TURN = 2
const FIRST_SPAN = 50
/** Entries. After many without a match, all entries of the next span may match: about 20 ms. */
const LONGEST_SPAN = 2_000

/**
 * Splits the ids after `above`, up to `through`, into spans, highest ids first, and yields to the event
 * loop between them. The length of a span depends on how long the previous one took, because an entry can
 * be a few words or a megabyte of targets.
 */
export async function* walkDown({ above, through }: AuditSpan): AsyncGenerator<AuditSpan, void> {
  let length = FIRST_SPAN
  let top = through
  while (top > above) {
    const bottom = Math.max(above, top - length)
    const began = performance.now()
    yield { above: bottom, through: top }
    const took = performance.now() - began
    if (took > TURN) length = Math.max(1, Math.floor(length / 2))
    else if (took < TURN / 2) length = Math.min(LONGEST_SPAN, length * 2)
    top = bottom
    await nextTurn()
  }
}

/** Filters whose counts are kept. */
const KEPT = 50

interface Known {
  /** The highest id that was counted. */
  readonly through: number
  readonly count: number
}

/** Counts the entries that match a filter. Entries are only ever added, so only later entries are read. */
export class AuditCounts {
  readonly #store: Pick<CatalogReads, 'countAudit'>
  readonly #known = new Map<string, Known>()

  constructor(store: Pick<CatalogReads, 'countAudit'>) {
    this.#store = store
  }

  /** Returns the number of matching entries with ids up to `through`. */
  async upTo(through: number, filter: AuditFilter): Promise<number> {
    const name = nameOf(filter)
    const known = this.#known.get(name)
    // A page that was begun before another has counted further.
    const start = known !== undefined && known.through <= through ? known : { through: 0, count: 0 }
    let { count } = start
    for await (const span of walkDown({ above: start.through, through })) {
      count += await this.#store.countAudit(filter, span)
    }
    if ((this.#known.get(name)?.through ?? 0) <= through) {
      keepLatest(this.#known, name, { through, count }, KEPT)
    }
    return count
  }
}

/** A count holds for those who see the same part of the log. */
function nameOf(filter: AuditFilter): string {
  const { scope, app, channel, actorKind, actionGroup, search, from, to } = filter
  return JSON.stringify([scope, app, channel, actorKind, actionGroup, search, from, to])
}
