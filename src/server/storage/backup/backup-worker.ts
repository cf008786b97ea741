import { parentPort, workerData } from 'node:worker_threads'
import { storageProblem } from '../sqlite/errors.ts'
import { backupDatabase } from './backup.ts'
import { copyOf, type ThreadAnswer, type ThreadTask } from './backup-thread.ts'
import { inspectCopy } from './inspect.ts'

const port = parentPort
if (port === null) throw new Error('backup-worker.ts runs as a worker thread only')

const stopped = new AbortController()
port.once('message', () => stopped.abort(new Error('the backup was stopped')))
port.postMessage(await answer(workerData))
port.close()

async function answer(task: ThreadTask): Promise<ThreadAnswer> {
  try {
    if (task.type === 'inspect') return { type: 'inspected', report: inspectCopy(task.file) }
    const { signal } = stopped
    const result = await backupDatabase(task.folder, task.destination, { signal })
    return { type: 'made', result }
  } catch (error) {
    return { type: 'failed', problem: storageProblem(error, copyOf(task)) }
  }
}
