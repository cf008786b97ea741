import { Worker } from 'node:worker_threads'
import { workerUrl } from '../../worker-url.ts'
import type { BackupResult, CopyReport } from '../interface/backups.ts'
import { StorageError } from '../sqlite/errors.ts'

/** Milliseconds that a thread has to end by itself once it is stopped. */
const STOP_TIME = 2_000

export type ThreadTask =
  | { readonly type: 'backup'; readonly folder: string; readonly destination: string }
  | { readonly type: 'inspect'; readonly file: string }

export type ThreadAnswer =
  | { readonly type: 'made'; readonly result: BackupResult }
  | { readonly type: 'inspected'; readonly report: CopyReport }
  | ({ readonly type: 'failed' } & Pick<StorageError, 'code' | 'message' | 'detail'>)

/** `backupDatabase` on a thread of its own. Rejects soon after `signal` aborts. */
export async function backupOnThread(
  folder: string,
  destination: string,
  signal: AbortSignal,
): Promise<BackupResult> {
  const answer = await run({ type: 'backup', folder, destination }, signal)
  if (answer.type === 'made') return answer.result
  throw unexpected(answer)
}

/** `inspectCopy` on a thread of its own. Rejects soon after `signal` aborts. */
export async function inspectOnThread(file: string, signal: AbortSignal): Promise<CopyReport> {
  const answer = await run({ type: 'inspect', file }, signal)
  if (answer.type === 'inspected') return answer.report
  throw unexpected(answer)
}

function run(task: ThreadTask, signal: AbortSignal): Promise<ThreadAnswer> {
  signal.throwIfAborted()
  const worker = new Worker(workerUrl('backup-worker', import.meta.url), { workerData: task })
  let timer: NodeJS.Timeout | undefined
  const answered = new Promise<ThreadAnswer>((resolve, reject) => {
    const stop = () => {
      worker.postMessage('stop')
      timer = setTimeout(() => {
        reject(signal.reason)
        void worker.terminate()
      }, STOP_TIME)
    }
    signal.addEventListener('abort', stop, { once: true })
    worker.once('message', (answer: ThreadAnswer) => resolve(answer))
    worker.once('error', reject)
    worker.once('exit', () => {
      signal.removeEventListener('abort', stop)
      clearTimeout(timer)
      reject(new StorageError('failed', 'The thread of the backup ended before it was done.'))
    })
  })
  return answered
}

function unexpected(answer: ThreadAnswer): StorageError {
  if (answer.type === 'failed') {
    const { code, message, detail } = answer
    return new StorageError(code, message, { detail })
  }
  return new StorageError('failed', `The thread of the backup answered ${answer.type}.`)
}
