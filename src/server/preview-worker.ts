import { setImmediate as nextTurn } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { PreviewEvent } from '../shared/console/releases.ts'
import type { PreviewTask } from './preview-thread.ts'
import { openDeviceScan } from './storage/open-storage.ts'
import { PreviewTally } from './updates/preview-tally.ts'

/** Devices read at once: some milliseconds, so that the write-ahead log is never held for long. */
const SLICE = 5_000
/** Milliseconds between two reports of progress. */
const PROGRESS = 250

const port = parentPort
if (port === null) throw new Error('preview-worker.ts runs as a worker thread only')
const post = (event: PreviewEvent) => port.postMessage(event)

await count(workerData)

async function count({ storage, plan }: PreviewTask): Promise<void> {
  const { byDevice, profiles, ...channel } = plan
  const tally = new PreviewTally(channel)
  const profileById = new Map(profiles.map((profile) => [profile.id, profile]))
  const total = byDevice.reduce((sum, profile) => sum + (profileById.has(profile) ? 1 : 0), 0)
  const scan = openDeviceScan(storage)
  let reported = performance.now()
  try {
    for (;;) {
      const rows = scan.next(SLICE)
      if (rows.length === 0) break
      for (const [device, deviceId, labels] of rows) {
        const profile = profileById.get(byDevice[device] ?? 0)
        if (profile !== undefined) tally.add(profile, deviceId, labels)
      }
      if (performance.now() - reported < PROGRESS) continue
      reported = performance.now()
      post({ type: 'progress', done: tally.devices, total })
      await nextTurn()
    }
  } finally {
    scan.close()
  }
  post({ type: 'result', preview: tally.result() })
}
