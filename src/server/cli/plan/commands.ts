import type { Command } from 'commander'
import { Version } from '../../../shared/names.ts'
import { PlanAnswer, PlanOrNoneAnswer, type PlanPlace } from '../../../shared/plan.ts'
import { PLAN_PRESETS } from '../../../shared/plan-presets.ts'
import {
  addServerCommand,
  type CommandFacts,
  type CommandOptions,
  FileName,
  valid,
} from '../options.ts'
import { text as common } from '../strings/common.ts'
import { EXAMPLES } from '../strings/examples.ts'
import { text } from '../strings/plan.ts'
import { addTimeZone, type PlanOptions } from './plan-options.ts'

/** `release plan set`, `show`, `suspend`, `resume` and `remove`. */
export function addPlanCommands(release: Command): void {
  const plan = release.command('plan').description(text.description)

  const set = addOne(plan, 'set', {
    description: text.set,
    examples: EXAMPLES.release.plan.set,
    document: PlanAnswer,
  }).argument('<file|preset>', text.source(PLAN_PRESETS), valid(FileName))
  addTimeZone(set).action(
    async (
      app: string,
      channel: string,
      version: string,
      source: string,
      options: CommandOptions & PlanOptions,
    ) => {
      const { setPlan } = await import('./change-plan.ts')
      await setPlan({ app, channel, version }, source, options)
    },
  )

  addOne(plan, 'show', {
    description: text.show,
    examples: EXAMPLES.release.plan.show,
    document: PlanOrNoneAnswer,
  }).action(async (...args: PlaceArgs) => {
    const { showPlan } = await import('./change-plan.ts')
    await showPlan(...placed(args))
  })

  for (const name of ['suspend', 'resume', 'remove'] as const) {
    addOne(plan, name, {
      description: text[name],
      examples: EXAMPLES.release.plan[name],
      document: PlanAnswer,
    }).action(async (...args: PlaceArgs) => {
      const { changePlan } = await import('./change-plan.ts')
      await changePlan(name, ...placed(args))
    })
  }
}

type PlaceArgs = [app: string, channel: string, version: string, options: CommandOptions]

function placed([app, channel, version, options]: PlaceArgs): [PlanPlace, CommandOptions] {
  return [{ app, channel, version }, options]
}

/** Adds a command about the plan of one release. */
function addOne(parent: Command, usage: string, facts: CommandFacts): Command {
  return addServerCommand(parent, usage, facts)
    .argument('<app>', common.appArgument)
    .argument('<channel>', common.channelArgument)
    .argument('<version>', common.versionArgument, valid(Version))
}
