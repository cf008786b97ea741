import { DecisionReason } from '../../../shared/manifest.ts'

/** Where a heartbeat came from: the device itself, or a fleet call on its behalf. */
export const SOURCES = ['check', 'decision', 'report'] as const
export type Source = (typeof SOURCES)[number]

const REASONS = DecisionReason.options
/** Room for reasons to come; a stored kind is never renumbered. */
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

/** True where the check-in was answered with an offer. */
export function isOffer(reason: DecisionReason | null): boolean {
  return reason === 'update' || reason === 'rollback'
}
