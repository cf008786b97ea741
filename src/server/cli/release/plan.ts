import type { Command } from 'commander'
import type { PlanPlace } from '../../../shared/plans/plan.ts'
import { PLAN_PRESETS } from '../../../shared/plans/plan-presets.ts'
import { PlanAnswer, PlanOrNoneAnswer, type PlanState } from '../../../shared/plans/plan-state.ts'
import { allSteps } from '../../../shared/plans/plan-steps.ts'
import { addVersionCommand, atVersion, type CommandOptions, onServer } from '../command/options.ts'
import { print, printAnswer, printTable } from '../command/output.ts'
import { FileName, valid } from '../command/valid.ts'
import { text } from '../strings/plan.ts'
import { addTimeZone, type PlanOptions, readPlan } from './plan-options.ts'
import { warnOfPreflight } from './release-table.ts'

/** `release plan set`, `show`, `suspend`, `resume` and `remove`. */
export function addPlanCommands(release: Command): void {
  const plan = release.command('plan').description(text.description)

  const set = addVersionCommand(plan, 'set', text.set, PlanAnswer).argument(
    '<file|preset>',
    text.source(PLAN_PRESETS),
    valid(FileName),
  )
  addTimeZone(set).action(
    (app, channel, version, source: string, options: CommandOptions & PlanOptions) =>
      setPlan({ app, channel, version }, source, options),
  )

  addVersionCommand(plan, 'show', text.show, PlanOrNoneAnswer).action(atVersion(showPlan))

  for (const name of ['suspend', 'resume', 'remove'] as const) {
    addVersionCommand(plan, name, text[name], PlanAnswer).action(
      atVersion((place, options: CommandOptions) => changePlan(name, place, options)),
    )
  }
}

async function setPlan(place: PlanPlace, source: string, options: CommandOptions & PlanOptions) {
  const plan = readPlan('plan', source, options.timeZone)
  const state = await onServer(options, (server) => server.plans.set.mutate({ ...place, plan }))
  printAnswer(options, PlanAnswer, { plan: state }, () => printPlan(place, state))
}

async function showPlan(place: PlanPlace, options: CommandOptions): Promise<void> {
  const { plan } = await onServer(options, (server) => server.plans.get.query(place))
  printAnswer(options, PlanOrNoneAnswer, { plan }, () => printPlan(place, plan))
}

async function changePlan(
  name: 'suspend' | 'resume' | 'remove',
  place: PlanPlace,
  options: CommandOptions,
): Promise<void> {
  const plan = await onServer(options, (server) => server.plans[name].mutate(place))
  const inWords = name === 'remove' ? text.removed(named(place)) : () => printPlan(place, plan)
  printAnswer(options, PlanAnswer, { plan }, inWords)
}

function printPlan(place: PlanPlace, state: PlanState | null): void {
  print(text.state(named(place), state))
  if (state === null) return
  warnOfPreflight({ version: place.version, preflight: state.preflight })
  const lines = [
    ...text.reason(state),
    ...text.next(state),
    ...text.waiting(state),
    ...text.readings(state),
  ]
  for (const line of lines) print(line)
  printTable(
    text.headings,
    allSteps(state.plan).map((step, index) => [
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
