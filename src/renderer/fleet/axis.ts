import type { Dashboard } from '../../shared/console/fleet.ts'
import { formatTime, formatUtcDay, isMidnight } from '../components/text/time.ts'

type Steps = Pick<Dashboard, 'unit' | 'steps'>

/** What an axis of steps needs: a week of hours has a tick where each day begins. */
export function axisOf({ unit, steps }: Steps) {
  const days = unit === 'hour' && steps.length > 24
  return {
    tickFormatter: (at: unknown) => tickWords({ unit, steps }, String(at)),
    minTickGap: 40,
    interval: 'equidistantPreserveStart',
    ...(days ? { ticks: steps.filter((at) => isMidnight(at)) } : {}),
  } as const
}

/** A step as short as an axis wants it. */
function tickWords({ unit, steps }: Steps, at: string): string {
  if (unit === 'day') return formatUtcDay(at)
  return formatTime(at, steps.length > 24 ? 'day' : 'hour')
}
