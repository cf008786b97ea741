import { DecisionReason } from '../../../../shared/manifest.ts'
import { SOURCES, type Source } from '../../../fleet/facts.ts'

const REASONS = DecisionReason.options
/** Room for future reasons: a stored kind is never renumbered. */
const REASON_ROOM = 16

/** Source and outcome of a check-in as the one small number that is stored. A report has no outcome. */
export function kindOf(source: Source, reason: DecisionReason | null): number {
  return SOURCES.indexOf(source) * REASON_ROOM + (reason === null ? 0 : REASONS.indexOf(reason) + 1)
}

/** The reverse of `kindOf`. */
export function readKind(kind: number): { source: Source; reason: DecisionReason | null } {
  return {
    source: SOURCES[Math.floor(kind / REASON_ROOM)] ?? 'check',
    reason: REASONS[(kind % REASON_ROOM) - 1] ?? null,
  }
}
