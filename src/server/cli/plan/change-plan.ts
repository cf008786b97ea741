import {
  PlanAnswer,
  PlanOrNoneAnswer,
  type PlanPlace,
  type PlanState,
} from '../../../shared/plan.ts'
import type { CommandOptions } from '../options.ts'
import { print, printJson, printTable } from '../output.ts'
import { withServer } from '../server/connect.ts'
import { text } from '../strings/plan.ts'
import { type PlanOptions, readPlan } from './plan-options.ts'

/** `release plan set`. */
export async function setPlan(
  place: PlanPlace,
  source: string,
  options: CommandOptions & PlanOptions,
): Promise<void> {
  const plan = readPlan('plan', source, options.timeZone)
  const state = await withServer(options, (server) => server.plans.set.mutate({ ...place, plan }))
  if (options.json) printJson(PlanAnswer, { plan: state })
  else printPlan(place, state)
}

/** `release plan show`. */
export async function showPlan(place: PlanPlace, options: CommandOptions): Promise<void> {
  const { plan } = await withServer(options, (server) => server.plans.get.query(place))
  if (options.json) printJson(PlanOrNoneAnswer, { plan })
  else printPlan(place, plan)
}

/** `release plan suspend`, `resume` and `remove`. */
export async function changePlan(
  name: 'suspend' | 'resume' | 'remove',
  place: PlanPlace,
  options: CommandOptions,
): Promise<void> {
  const plan = await withServer(options, (server) => server.plans[name].mutate(place))
  if (options.json) printJson(PlanAnswer, { plan })
  else if (name === 'remove') print(text.removed(named(place)))
  else printPlan(place, plan)
}

function printPlan(place: PlanPlace, state: PlanState | null): void {
  print(text.state(named(place), state))
  if (state === null) return
  for (const line of [...text.reason(state), ...text.next(state)]) print(line)
  printTable(
    text.headings,
    state.plan.steps.map((step, index) => [
      String(index + 1),
      text.devices(step),
      text.soak(step),
      text.gate(step.gate),
      text.stepState(index, state.step),
    ]),
    '',
  )
}

function named({ app, channel, version }: PlanPlace): string {
  return `${version} on ${app}/${channel}`
}
