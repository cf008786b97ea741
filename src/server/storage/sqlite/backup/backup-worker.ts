import { parentPort, workerData } from 'node:worker_threads'
import { storageProblem } from '../errors.ts'
import { backupDatabase } from './backup.ts'
import { copyOf, type ThreadAnswer, type ThreadTask } from './backup-thread.ts'
import { compareCopy, inspectCopy } from './inspect.ts'
import { filesNamedIn } from './named-files.ts'
import { stageBackup } from './staging.ts'

const port = parentPort
if (port === null) throw new Error('backup-worker.ts runs as a worker thread only')

const stopped = new AbortController()
port.once('message', () => stopped.abort(new Error('the backup was stopped')))
port.postMessage(await answer(workerData))
port.close()

async function answer(task: ThreadTask): Promise<ThreadAnswer> {
  try {
    switch (task.type) {
      case 'inspect':
        return { type: 'inspected', report: inspectCopy(task.file) }
      case 'files':
        return { type: 'named', files: filesNamedIn(task.file) }
      case 'compare':
        return { type: 'compared', comparison: compareCopy(task.file, task.folder) }
      case 'stage':
        return { type: 'staged', file: await stageBackup(task.folder, task.file) }
      case 'backup': {
        const { signal } = stopped
        const result = await backupDatabase(task.folder, task.destination, { signal })
        return { type: 'made', result }
      }
      default:
        return task satisfies never
    }
  } catch (error) {
    return { type: 'failed', problem: storageProblem(error, copyOf(task)) }
  }
}
