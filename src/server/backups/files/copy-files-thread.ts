import { Worker } from 'node:worker_threads'
import type { StorageProblem } from '../../../shared/storage-problem.ts'
import { StorageError } from '../../storage/interface/storage-error.ts'
import { workerUrl } from '../../worker-url.ts'
import type { FileCopyProgress, FileCopyResult, FileCopyTask } from './copy-files.ts'

/** Milliseconds that a stopped thread has to end by itself. */
const STOP_TIME = 2_000

type Message =
  | { readonly type: 'progress'; readonly progress: FileCopyProgress }
  | { readonly type: 'copied'; readonly result: FileCopyResult }
  | { readonly type: 'failed'; readonly problem: StorageProblem }

/** `copyFiles` on a thread of its own, which hashes and waits for the disk. Throws `StorageError`, and the reason of `signal`. */
export function copyFilesOnThread(
  task: FileCopyTask,
  signal: AbortSignal,
  onProgress: (progress: FileCopyProgress) => void,
): Promise<FileCopyResult> {
  signal.throwIfAborted()
  const worker = new Worker(workerUrl('copy-files-worker', import.meta.url), { workerData: task })
  let timer: NodeJS.Timeout | undefined
  return new Promise((resolve, reject) => {
    const stop = () => {
      worker.postMessage('stop')
      timer = setTimeout(() => void worker.terminate(), STOP_TIME)
    }
    signal.addEventListener('abort', stop, { once: true })
    worker.on('message', (message: Message) => {
      if (message.type === 'progress') onProgress(message.progress)
      else if (message.type === 'copied') resolve(message.result)
      else reject(signal.aborted ? signal.reason : new StorageError(message.problem))
    })
    worker.once('error', reject)
    worker.once('exit', () => {
      signal.removeEventListener('abort', stop)
      clearTimeout(timer)
      const detail = 'its thread ended'
      const ended = new StorageError({ code: 'failed', file: task.to, detail })
      reject(signal.aborted ? signal.reason : ended)
    })
  })
}
