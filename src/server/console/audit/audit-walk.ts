import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AuditSpan } from '../../catalog/audit-log.ts'

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
