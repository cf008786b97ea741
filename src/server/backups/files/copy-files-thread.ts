import type { StorageProblem } from '../../../shared/operation/storage-problem.ts'
import { TaskThreads } from '../../runtime/threads/task-threads.ts'
import { workerUrl } from '../../runtime/threads/worker-url.ts'
import { StorageError } from '../../storage/interface/storage-error.ts'
import type { FileCopyProgress, FileCopyResult, FileCopyTask } from './copy-files.ts'

export type FileCopyAnswer =
  | { readonly copied: FileCopyResult }
  | { readonly problem: StorageProblem }

const threads = new TaskThreads<FileCopyTask, FileCopyAnswer, FileCopyProgress>(
  workerUrl('copy-files-worker', import.meta.url),
  { stopTime: 2_000 },
)

/** `copyFiles` on a thread, which hashes and waits for the disk. Throws `StorageError`, and the reason of `signal`. */
export async function copyFilesOnThread(
  task: FileCopyTask,
  signal: AbortSignal,
  onProgress: (progress: FileCopyProgress) => void,
): Promise<FileCopyResult> {
  const answer = await threads.run(task, signal, onProgress)
  if ('copied' in answer) return answer.copied
  throw new StorageError(answer.problem)
}
