import type { PlanRefusal } from '../plan-refusal.ts'
import { formatPercent } from './format.ts'

/** Returns the message of a refusal about plans and freezes, as `refusalSentence` does. */
export function planRefusalSentence(facts: PlanRefusal): string {
  switch (facts.code) {
    case 'unknown_plan':
      return `release ${facts.version} of ${facts.app}/${facts.channel} has no plan`
    case 'plan_with_rollout':
      return at(facts, 'must be left out with a plan, which raises the rollout from 0%')
    case 'plan_done':
      return at(facts, 'the release is already served to every device that these steps reach')
    case 'plan_narrows':
      return at(facts, 'the release is already served to devices outside of these rings')
    case 'ring_not_targeted':
      return at(facts, `the targets of the release do not include the ring "${facts.ring}"`)
    case 'ring_not_early': {
      const { ring, rolloutPct, app, channel } = facts
      const why = `the ring "${ring}" would be in the rollout of ${formatPercent(rolloutPct)} only in part`
      return at(facts, `${why}; add ring=${ring} to the early access of ${app}/${channel}`)
    }
    case 'plan_release_paused':
      return `release ${facts.version} is paused; resume it first`
    case 'plan_ended':
      return facts.status === 'finished'
        ? `the plan of ${facts.version} has finished; set another one`
        : `the plan of ${facts.version} was stopped; set another one`
    case 'plan_targets_changed':
      return `the targets of ${facts.version} were changed by hand while its plan was at a ring; set the plan again`
    case 'freezes_changed':
      return `the freezes of app "${facts.app}" have changed in the meantime; review them and try again`
  }
}

function at({ path }: { readonly path: readonly string[] }, reason: string): string {
  return `${path.join('.')}: ${reason}`
}
