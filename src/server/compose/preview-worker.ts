import { setImmediate as nextTurn } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import type { PreviewEvent } from '../../shared/console/releases.ts'
import { readScan } from '../storage/open-scan.ts'
import { type PreviewPlan, PreviewTally } from '../use-cases/releases/preview-tally.ts'

/** Milliseconds between two reports of progress. */
const PROGRESS = 250

const port = parentPort
if (port === null) throw new Error('preview-worker.ts runs as a worker thread only')
const post = (event: PreviewEvent) => port.postMessage(event)

// One at a time: the next plan comes after the result. What fails ends the thread.
port.on('message', count)

async function count({ scan, ...channel }: PreviewPlan): Promise<void> {
  const tally = new PreviewTally(channel)
  let reported = performance.now()
  for await (const devices of readScan(scan.ticket)) {
    for (const device of devices) tally.add(device)
    if (performance.now() - reported < PROGRESS) continue
    reported = performance.now()
    post({ type: 'progress', done: tally.devices, total: scan.devices })
    await nextTurn()
  }
  post({ type: 'result', preview: tally.result() })
}
