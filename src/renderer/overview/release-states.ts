import type { Overview } from '../../shared/console/overview.ts'
import type { PlanCalendar } from '../../shared/console/releases/plans.ts'
import type { ReleasePlace } from '../../shared/console/releases/releases.ts'

/** What is known of releases beside what they are offered to, see `keyOf`. */
export interface ReleaseStates {
  /** Their plans that are not finished. */
  readonly plans: ReadonlyMap<string, PlanCalendar['plans'][number]>
  /** Those that failed on too many devices. */
  readonly failing: ReadonlySet<string>
}

/** Returns what the answers of the server say of releases. */
export function releaseStates(
  plans: PlanCalendar['plans'],
  { failing }: Pick<Overview['attention'], 'failing'>,
): ReleaseStates {
  return {
    plans: new Map(plans.map((plan) => [keyOf(plan), plan])),
    failing: new Set(failing.map(keyOf)),
  }
}

/** Names a release among all. */
export function keyOf({ app, channel, version }: ReleasePlace): string {
  return `${app}/${channel}/${version}`
}
