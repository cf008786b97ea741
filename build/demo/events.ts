import type { PlanEvent } from '../../src/demo/live-hours.ts'
import { stopReasonLine } from '../../src/shared/wording/judgement.ts'
import { text } from './strings.ts'

/** Returns an event of a plan as a line for a terminal. `at`: Unix milliseconds. */
export function eventLine({ app, channel, version, state }: PlanEvent, at: number): string {
  return text.event(at, `${app}/${channel} ${version}`, whatOf(state))
}

function whatOf({ status, step, plan, stopReasons }: PlanEvent['state']): string {
  const last = plan.steps[step - 1]
  const rolloutPct = last !== undefined && 'rolloutPct' in last ? last.rolloutPct : null
  switch (status) {
    case 'running':
      return text.step(step, plan.steps.length, rolloutPct)
    case 'finished':
      return text.finished
    case 'suspended':
      return text.suspended
    case 'stopped':
      return text.stopped((stopReasons ?? []).map((reason) => stopReasonLine(reason)).join('; '))
  }
}
