import type { RolloutMark } from '../../../shared/console/fleet.ts'
import type { PlanForecast } from '../../../shared/console/releases/plans.ts'
import type { Release } from '../../../shared/releases/release.ts'

const DAY = 86_400_000
/** Most days ahead that the curve shows. */
const MOST_AHEAD = 14
/** Days whose devices are taken for those of a day to come. */
const USUAL_DAYS = 7

/** A day of the curve. */
export interface CurveDay {
  /** When it begins, in UTC. */
  readonly at: string
  /** Devices that ran the release; null for a day to come. */
  readonly devices: number | null
  /** Devices of the channel that checked in; null for a day to come. */
  readonly total: number | null
  /** Devices to which the release was to be offered by then; null before it was. */
  readonly expected: number | null
}

interface PastDay {
  readonly at: string
  readonly devices: number
  readonly total: number
}

interface Mark {
  readonly at: string
  readonly rolloutPct: number
}

/**
 * Returns the days of a curve with what its plan leads to expect: the rollout of each day (`marks`, then the forecast),
 * taken of the devices that check in on it, or usually do.
 */
export function withExpectation(
  days: readonly PastDay[],
  marks: readonly Mark[],
  forecast: PlanForecast,
): CurveDay[] {
  const coming = forecast.steps.flatMap(({ at, rolloutPct, rings }) =>
    at === null || rings !== null ? [] : [{ at, rolloutPct }],
  )
  const rollouts = [...marks, ...coming].toSorted((one, other) => (one.at < other.at ? -1 : 1))
  const full = days.slice(-1 - USUAL_DAYS, -1)
  const usual = full.reduce((sum, { total }) => sum + total, 0) / Math.max(1, full.length)
  const expectedAt = (at: string, total: number) => {
    const end = new Date(Date.parse(at) + DAY).toISOString()
    const last = rollouts.findLast((rollout) => rollout.at < end)
    return last === undefined ? null : Math.round((last.rolloutPct / 100) * total)
  }
  // Today is not over.
  const past = days.map((day, index) => {
    const total = index === days.length - 1 ? Math.max(day.total, usual) : day.total
    return { ...day, expected: expectedAt(day.at, total) }
  })
  const ahead = daysAhead(days.at(-1)?.at, coming.at(-1)?.at).map((at) => ({
    ...{ at, devices: null, total: null, expected: expectedAt(at, usual) },
  }))
  return [...past, ...ahead]
}

function daysAhead(today: string | undefined, until: string | undefined): string[] {
  if (today === undefined || until === undefined) return []
  const first = Date.parse(today)
  const count = Math.floor((Date.parse(until) - first) / DAY)
  return Array.from({ length: Math.min(MOST_AHEAD, Math.max(0, count)) }, (_, index) =>
    new Date(first + (index + 1) * DAY).toISOString(),
  )
}

type Change = Pick<RolloutMark, 'at' | 'change' | 'rolloutPct'>

/**
 * Returns the percentage that a release was offered to at the end of each step; 0 while it is paused or rolled back, null before
 * it was published. `changes`: those within the steps, oldest first.
 */
export function rolloutBySteps(
  steps: readonly string[],
  changes: readonly Change[],
  { createdAt, rolloutPct, status }: Pick<Release, 'createdAt' | 'rolloutPct' | 'status'>,
): (number | null)[] {
  // What it was before the first change is not told by it; without any it is what it is now.
  let pct = changes[0]?.change === 'published' ? null : changes.length === 0 ? rolloutPct : null
  let isServed = changes.length > 0 || status === 'published'
  let next = 0
  return steps.map((_, index) => {
    const end = steps[index + 1]
    for (; next < changes.length; next += 1) {
      const change = changes[next]
      if (change === undefined || (end !== undefined && change.at >= end)) break
      if (change.rolloutPct !== null) pct = change.rolloutPct
      if (change.change === 'paused' || change.change === 'rolled_back') isServed = false
      if (change.change === 'resumed' || change.change === 'published') isServed = true
    }
    if (end !== undefined && createdAt >= end) return null
    return isServed ? pct : 0
  })
}
