import type { Command } from 'commander'
import { Plan } from '../../../shared/plans/plan.ts'
import { isPlanPreset, PLAN_PRESETS, presetPlan } from '../../../shared/plans/plan-presets.ts'
import { TimeZone } from '../../../shared/plans/time-zone.ts'
import { UsageError } from '../command/errors.ts'
import { FileName, valid } from '../command/valid.ts'
import { text } from '../strings/plan.ts'
import { readJson } from './release-files.ts'

export interface PlanOptions {
  readonly plan?: string
  readonly timeZone?: string
}

/** Adds `--plan` and `--time-zone`. */
export function addPlanOptions(command: Command): Command {
  return addTimeZone(
    command.option('--plan <file|preset>', text.option(PLAN_PRESETS), valid(FileName)),
  )
}

/** Adds `--time-zone`. */
export function addTimeZone(command: Command): Command {
  return command.option('--time-zone <zone>', text.timeZone, valid(TimeZone))
}

/** Returns the plan of the options; undefined without one. Throws `UsageError` for a rollout besides it, and as `readPlan`. */
export function planOf(options: PlanOptions & { readonly rollout?: unknown }): Plan | undefined {
  const { plan, timeZone, rollout } = options
  if (plan === undefined) return undefined
  if (rollout !== undefined) throw new UsageError(text.withRollout)
  return readPlan('--plan', plan, timeZone)
}

/** Reads a plan from a preset or a file. Throws `UsageError`, and `Failure` for the file. */
export function readPlan(option: string, source: string, timeZone: string | undefined): Plan {
  if (isPlanPreset(source)) return presetPlan(source, timeZone ?? localTimeZone())
  if (timeZone !== undefined) throw new UsageError(text.zoneWithoutPreset)
  return readJson(option, source, Plan)
}

/** Returns the time zone of this computer. */
export function localTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}
