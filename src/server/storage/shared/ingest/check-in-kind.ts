import { Outcome } from '../../../../shared/health/health.ts'
import { DecisionReason } from '../../../../shared/releases/manifest.ts'
import { type LoggedEpisode, SOURCES, type Source } from '../../../fleet/facts.ts'
import { stateOf } from '../../../fleet/health/episode.ts'
import { phaseOf, readStage } from '../../../fleet/health/packed-episode.ts'

const REASONS = DecisionReason.options
const OUTCOMES = Outcome.options
/** Room for future reasons: a stored kind is never renumbered. */
const REASON_ROOM = 16
/** Room for future sources. Above is the stage of the device's episode, so that most check-ins have none. */
const KIND_ROOM = 256

/** The source of a check-in, and its answer or the reported outcome. */
export interface CheckInKind {
  readonly source: Source
  readonly reason: DecisionReason | null
  readonly outcome: Outcome | null
}

/** Source and answer of a check-in as the one small number that is stored. A report has no answer. */
export function kindOf(source: Source, reason: DecisionReason | null, outcome?: Outcome): number {
  const answer = outcome === undefined ? indexOf(reason) : OUTCOMES.indexOf(outcome) + 1
  return SOURCES.indexOf(source) * REASON_ROOM + answer
}

/** Adds the device's episode after the check-in, from `packStage`. */
export function withStage(kind: number, stage: number): number {
  return kind + stage * KIND_ROOM
}

/** Returns the stage that was added to a kind. */
export function stageOf(kind: number): number {
  return Math.floor(kind / KIND_ROOM)
}

/** The reverse of `kindOf`, with or without a stage. */
export function readKind(kind: number): CheckInKind {
  const source = SOURCES[Math.floor((kind % KIND_ROOM) / REASON_ROOM)] ?? 'check'
  const at = (kind % REASON_ROOM) - 1
  if (source === 'outcome') return { source, reason: null, outcome: OUTCOMES[at] ?? null }
  return { source, reason: REASONS[at] ?? null, outcome: null }
}

function indexOf(reason: DecisionReason | null): number {
  return reason === null ? 0 : REASONS.indexOf(reason) + 1
}

/** Releases by the numbers of their episodes. */
interface NumberedReleases {
  get(release: number): { readonly version: string } | undefined
}

/** Reads the episode that is stored with a check-in; null if the device had none. */
export function loggedEpisode(stage: number, releases: NumberedReleases): LoggedEpisode | null {
  const { release, progress } = readStage(stage, 0)
  const state = stateOf(phaseOf(progress))
  if (release === 0 || state === null) return null
  return { release, version: releases.get(release)?.version ?? null, state }
}
