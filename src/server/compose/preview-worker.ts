import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Preview } from '../../shared/console/releases/preview.ts'
import { serveTasks } from '../runtime/threads/serve-tasks.ts'
import { readScan } from '../storage/open-scan.ts'
import { type PreviewPlan, PreviewTally } from '../use-cases/releases/preview-tally.ts'
import type { PreviewProgress } from './turn-threads.ts'

serveTasks<PreviewPlan, Preview, PreviewProgress>(async ({ scan, ...channel }, _, onProgress) => {
  const tally = new PreviewTally(channel)
  for await (const devices of readScan(scan.ticket)) {
    for (const device of devices) tally.add(device)
    onProgress({ done: tally.devices, total: scan.devices })
    // For the timer that reports it.
    await nextTurn()
  }
  return tally.result()
})
