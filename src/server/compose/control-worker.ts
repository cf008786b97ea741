import type { Arms } from '../rules/judging/control.ts'
import { serveTasks } from '../runtime/threads/serve-tasks.ts'
import { readScan } from '../storage/open-scan.ts'
import { type ArmsPlan, ArmsTally } from '../use-cases/plans/arms-tally.ts'

serveTasks<ArmsPlan, Arms>(async (plan) => {
  const tally = new ArmsTally(plan)
  for await (const devices of readScan(plan.scan.ticket)) {
    for (const device of devices) tally.add(device)
  }
  return tally.result()
})
