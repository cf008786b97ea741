import type { Dashboard, FleetRange, LiveCheckIn, RolloutMark } from '../../shared/console/fleet.ts'
import { OTHER } from '../../shared/names.ts'
import { REASON_LABELS } from '../../shared/wording/explanation.ts'
import { formatCounted, formatPercent } from '../../shared/wording/format.ts'
import { formatTime, formatUtcDay, isMidnight } from '../components/time.ts'

/** Ranges as the control and sentences name them. */
export const RANGE_WORDS: Readonly<Record<FleetRange, { short: string; long: string }>> = {
  '24h': { short: '24 h', long: 'the last 24 hours' },
  '7d': { short: '7 d', long: 'the last 7 days' },
  '30d': { short: '30 d', long: 'the last 30 days' },
  '90d': { short: '90 d', long: 'the last 90 days' },
}

// A day of the charts is a UTC day: in another zone it would have another name in half of the world.

/** A step in full, for a tooltip or a row: an hour in the chosen time zone, or a UTC day. */
export function stepWords(unit: Dashboard['unit'], at: string): string {
  return unit === 'hour' ? formatTime(at, 'dayAndHour') : `${formatUtcDay(at)} (UTC)`
}

/** The heading of a chart's tooltip. A chart asks for one before anything is pointed at. */
export function tooltipWords(unit: Dashboard['unit'], at: unknown): string {
  return typeof at === 'string' ? stepWords(unit, at) : ''
}

/** What an axis of steps needs: a week of hours has a tick where each day begins. */
export function axisOf({ unit, steps }: Pick<Dashboard, 'unit' | 'steps'>) {
  const days = unit === 'hour' && steps.length > 24
  return {
    tickFormatter: (at: unknown) => tickWords({ unit, steps }, String(at)),
    minTickGap: 40,
    interval: 'equidistantPreserveStart',
    ...(days ? { ticks: steps.filter((at) => isMidnight(at)) } : {}),
  } as const
}

/** A step as short as an axis wants it. */
function tickWords({ unit, steps }: Pick<Dashboard, 'unit' | 'steps'>, at: string): string {
  if (unit === 'day') return formatUtcDay(at)
  return formatTime(at, steps.length > 24 ? 'day' : 'hour')
}

/** The name of a band. */
export function bandName(version: string | null, others: number): string {
  return version ?? (others === 0 ? 'Other' : formatCounted(others, 'other version'))
}

/** What was done to a rollout. */
export function markWords({ change, rolloutPct }: RolloutMark): string {
  const pct = rolloutPct === null ? '' : ` to ${formatPercent(rolloutPct)}`
  switch (change) {
    case 'published':
      return `published${pct}`
    case 'raised':
      return `rollout raised${pct}`
    case 'lowered':
      return `rollout lowered${pct}`
    case 'paused':
      return 'paused'
    case 'resumed':
      return 'resumed'
    case 'rolled_back':
      return 'rolled back'
  }
}

/** How a check-in was answered. */
export function outcomeWords({ reason, source }: LiveCheckIn): string {
  if (reason !== null) return REASON_LABELS[reason]
  return source === 'report' ? 'Reported' : 'Checked in'
}

/** A platform and arch; empty texts were not told. */
export function platformWords({ platform, arch }: { platform: string; arch: string }): string {
  if (platform === OTHER) return 'Other'
  if (platform === '' && arch === '') return 'Not told'
  return `${platform || 'not told'} ${arch}`.trim()
}
