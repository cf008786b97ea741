import { parentPort, workerData } from 'node:worker_threads'
import { type ProofProgress, proveArtifact } from './prove-artifact.ts'

/** Milliseconds between two reports of progress. */
const PROGRESS = 250

const port = parentPort
if (port === null) throw new Error('proof-worker.ts runs as a worker thread only')

let unreported: ProofProgress | undefined
const timer = setInterval(() => {
  if (unreported !== undefined) port.postMessage({ type: 'progress', progress: unreported })
  unreported = undefined
}, PROGRESS)
// Nothing aborts it: the thread is ended instead.
const { signal } = new AbortController()
const result = await proveArtifact(workerData, signal, (progress) => {
  unreported = progress
})
clearInterval(timer)
port.postMessage({ type: 'result', result })
