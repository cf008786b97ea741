import { parentPort, workerData } from 'node:worker_threads'
import { createJudge } from './judge.ts'

const port = parentPort
if (port === null) throw new Error('password-worker.ts runs as a worker thread only')
port.postMessage(createJudge()(workerData))
