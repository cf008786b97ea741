import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AuditSpan } from '../../catalog/audit-log.ts'

/** Milliseconds of the server's thread that one look at the log may take, about. */
const TURN = 2
const FIRST_SPAN = 50
/** Where nothing matched for long, the next span may match whole and cost far more: some 20 ms. */
const LONGEST_SPAN = 2_000

/**
 * Cuts the ids after `above`, up to `through`, into spans, the newest first, and lets everything else
 * of the thread have its turn between two of them. How long a span is follows from how long the one
 * before took: entries can be a few words or a megabyte of targets.
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
