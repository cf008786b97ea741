import { at, type Sentences } from '../coded.ts'
import type { PlanRefusal } from '../plan-refusal.ts'
import { formatPercent } from './format.ts'

/** The messages of the refusals about plans and freezes, as `refusalSentence` returns them. */
export const PLAN_SENTENCES: Sentences<PlanRefusal> = {
  unknown_plan: ({ version, app, channel }) =>
    `release ${version} of ${app}/${channel} has no plan`,
  plan_with_rollout: ({ path }) =>
    at(path, 'must be left out with a plan, which raises the rollout from 0%'),
  plan_done: ({ path }) =>
    at(path, 'the release is already served to every device that these steps reach'),
  plan_narrows: ({ path }) =>
    at(path, 'the release is already served to devices outside of these rings'),
  ring_not_targeted: ({ path, ring }) =>
    at(path, `the targets of the release do not include the ring "${ring}"`),
  ring_not_early: ({ path, ring, rolloutPct, app, channel }) => {
    const why = `the ring "${ring}" would be in the rollout of ${formatPercent(rolloutPct)} only in part`
    return at(path, `${why}; add ring=${ring} to the early access of ${app}/${channel}`)
  },
  plan_release_paused: ({ version }) => `release ${version} is paused; resume it first`,
  plan_ended: ({ status, version }) =>
    status === 'finished'
      ? `the plan of ${version} has finished; set another one`
      : `the plan of ${version} was stopped; set another one`,
  plan_targets_changed: ({ version }) =>
    `the targets of ${version} were changed by hand while its plan was at a ring; set the plan again`,
  freezes_changed: ({ app }) =>
    `the freezes of app "${app}" have changed in the meantime; review them and try again`,
}
