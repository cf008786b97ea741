import { parentPort, workerData } from 'node:worker_threads'
import { storageProblem } from '../../storage/open-storage.ts'
import { copyFiles, type FileCopyProgress } from './copy-files.ts'

/** Milliseconds between two reports of progress. */
const PROGRESS = 250

const port = parentPort
if (port === null) throw new Error('copy-files-worker.ts runs as a worker thread only')

const stopped = new AbortController()
port.once('message', () => stopped.abort(new Error('the copy was stopped')))
let unreported: FileCopyProgress | undefined
const timer = setInterval(() => {
  if (unreported !== undefined) port.postMessage({ type: 'progress', progress: unreported })
  unreported = undefined
}, PROGRESS)
try {
  const result = await copyFiles(workerData, stopped.signal, (progress) => {
    unreported = progress
  })
  port.postMessage({ type: 'copied', result })
} catch (error) {
  port.postMessage({ type: 'failed', problem: storageProblem(error, workerData.to) })
} finally {
  clearInterval(timer)
  port.close()
}
