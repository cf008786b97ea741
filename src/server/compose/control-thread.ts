import type { Arms } from '../rules/judging/control.ts'
import { TaskThreads } from '../runtime/threads/task-threads.ts'
import { workerUrl } from '../runtime/threads/worker-url.ts'
import type { ArmsPlan } from '../use-cases/plans/arms-tally.ts'

/** Milliseconds that it may take: a million devices take some seconds. */
const MAX_TIME = 120_000

const threads = new TaskThreads<ArmsPlan, Arms>(workerUrl('control-worker', import.meta.url), {
  limits: { maxOldGenerationSizeMb: 512 },
})

/** Counts the devices of a release on a thread of its own. Rejects with what the thread died of, and after two minutes. */
export async function countArms(plan: ArmsPlan): Promise<Arms> {
  return await threads.run(plan, AbortSignal.timeout(MAX_TIME))
}
