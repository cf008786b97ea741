import type { Command } from 'commander'
import { PlanAnswer, PlanOrNoneAnswer, type PlanPlace } from '../../../shared/plan.ts'
import { PLAN_PRESETS } from '../../../shared/plan-presets.ts'
import { addVersionCommand, type CommandOptions, FileName, valid } from '../options.ts'
import { text } from '../strings/plan.ts'
import { addTimeZone, type PlanOptions } from './plan-options.ts'

/** `release plan set`, `show`, `suspend`, `resume` and `remove`. */
export function addPlanCommands(release: Command): void {
  const plan = release.command('plan').description(text.description)

  const set = addVersionCommand(plan, 'set', text.set, PlanAnswer).argument(
    '<file|preset>',
    text.source(PLAN_PRESETS),
    valid(FileName),
  )
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

  addVersionCommand(plan, 'show', text.show, PlanOrNoneAnswer).action(
    async (...args: PlaceArgs) => {
      const { showPlan } = await import('./change-plan.ts')
      await showPlan(...placed(args))
    },
  )

  for (const name of ['suspend', 'resume', 'remove'] as const) {
    addVersionCommand(plan, name, text[name], PlanAnswer).action(async (...args: PlaceArgs) => {
      const { changePlan } = await import('./change-plan.ts')
      await changePlan(name, ...placed(args))
    })
  }
}

type PlaceArgs = [app: string, channel: string, version: string, options: CommandOptions]

function placed([app, channel, version, options]: PlaceArgs): [PlanPlace, CommandOptions] {
  return [{ app, channel, version }, options]
}
