import { Worker } from 'node:worker_threads'
import type { StorageProblem } from '../../../../shared/storage-problem.ts'
import { workerUrl } from '../../../worker-url.ts'
import type {
  BackupResult,
  CopyComparison,
  CopyReport,
  NamedFile,
} from '../../interface/backups.ts'
import { StorageError } from '../../interface/storage-error.ts'

/** Milliseconds that a stopped thread has to end by itself. */
const STOP_TIME = 2_000

export type ThreadTask =
  | { readonly type: 'backup'; readonly folder: string; readonly destination: string }
  | { readonly type: 'inspect' | 'files'; readonly file: string }
  | { readonly type: 'compare' | 'stage'; readonly folder: string; readonly file: string }

/** The copy that a task makes or reads. */
export function copyOf(task: ThreadTask): string {
  return task.type === 'backup' ? task.destination : task.file
}

export type ThreadAnswer =
  | { readonly type: 'made'; readonly result: BackupResult }
  | { readonly type: 'inspected'; readonly report: CopyReport }
  | { readonly type: 'named'; readonly files: NamedFile[] }
  | { readonly type: 'compared'; readonly comparison: CopyComparison }
  | { readonly type: 'staged'; readonly file: string }
  | { readonly type: 'failed'; readonly problem: StorageProblem }

/** `backupDatabase` on a thread of its own. Rejects soon after `signal` aborts. */
export async function backupOnThread(
  folder: string,
  destination: string,
  signal: AbortSignal,
): Promise<BackupResult> {
  const answer = await run({ type: 'backup', folder, destination }, signal)
  if (answer.type === 'made') return answer.result
  throw failure(answer, destination)
}

/** `inspectCopy` on a thread of its own. Rejects soon after `signal` aborts. */
export async function inspectOnThread(file: string, signal: AbortSignal): Promise<CopyReport> {
  const answer = await run({ type: 'inspect', file }, signal)
  if (answer.type === 'inspected') return answer.report
  throw failure(answer, file)
}

/** `filesNamedIn` on a thread of its own. Rejects soon after `signal` aborts. */
export async function filesNamedOnThread(file: string, signal: AbortSignal): Promise<NamedFile[]> {
  const answer = await run({ type: 'files', file }, signal)
  if (answer.type === 'named') return answer.files
  throw failure(answer, file)
}

/** `compareCopy` on a thread of its own. Rejects soon after `signal` aborts. */
export async function compareOnThread(
  folder: string,
  file: string,
  signal: AbortSignal,
): Promise<CopyComparison> {
  const answer = await run({ type: 'compare', folder, file }, signal)
  if (answer.type === 'compared') return answer.comparison
  throw failure(answer, file)
}

/** `stageBackup` on a thread of its own. Rejects soon after `signal` aborts. */
export async function stageOnThread(
  folder: string,
  file: string,
  signal: AbortSignal,
): Promise<string> {
  const answer = await run({ type: 'stage', folder, file }, signal)
  if (answer.type === 'staged') return answer.file
  throw failure(answer, file)
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
      reject(unfinished(copyOf(task), 'its thread ended'))
    })
  })
  return answered
}

function failure(answer: ThreadAnswer, file: string): StorageError {
  if (answer.type !== 'failed') return unfinished(file, `its thread answered ${answer.type}`)
  return new StorageError(answer.problem)
}

function unfinished(file: string, detail: string): StorageError {
  return new StorageError({ code: 'failed', file, detail })
}
