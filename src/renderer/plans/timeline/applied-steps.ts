import { z } from 'zod'
import { ReleaseHealth } from '../../../shared/health.ts'
import type { HistoryEntry } from '../../releases/detail.ts'

/** A step that was applied, and the numbers that it was applied on. */
export interface AppliedStep {
  readonly at: string
  /** Of the devices that the steps before reached; undefined for the first step. */
  readonly health?: ReleaseHealth | undefined
}

const Applied = z.object({ step: z.int().min(1), health: ReleaseHealth.optional() })

/**
 * Returns when the steps of the plan that a release has now were applied, by their place in the plan from 0. `history`: of
 * the release, newest first.
 */
export function appliedSteps(history: readonly HistoryEntry[]): ReadonlyMap<number, AppliedStep> {
  const steps = new Map<number, AppliedStep>()
  for (const { action, at, after } of history) {
    if (action === 'release.plan_set') break
    if (action !== 'release.plan_step_applied') continue
    const read = Applied.safeParse(after)
    if (read.success) steps.set(read.data.step - 1, { at, health: read.data.health })
  }
  return steps
}
