import { messageOf } from '../../../../shared/message-of.ts'
import { TaskThreads } from '../../../threads/task-threads.ts'
import { workerUrl } from '../../../threads/worker-url.ts'
import { StorageError } from '../../interface/storage-error.ts'
import type { BackupAnswer, BackupTask, BackupWork } from './backup-work.ts'

type Value<Name extends keyof BackupWork> = Awaited<ReturnType<BackupWork[Name]>>

const threads = new TaskThreads<BackupTask, BackupAnswer>(
  workerUrl('backup-worker', import.meta.url),
  { stopTime: 2_000 },
)

/**
 * Returns a function that does some work about a copy of the database on a thread, for the data folder `folder`. It throws
 * `StorageError`, and the reason of `signal` soon after that aborts.
 */
export function onThread<Name extends keyof BackupWork>(name: Name, folder: string) {
  return async (copy: string, signal: AbortSignal): Promise<Value<Name>> => {
    const answer = await threads.run({ name, copy, folder }, signal).catch((error: unknown) => {
      signal.throwIfAborted()
      const detail = `its thread ended: ${messageOf(error)}`
      throw new StorageError({ code: 'failed', file: copy, detail })
    })
    if ('problem' in answer) throw new StorageError(answer.problem)
    return answer.value as Value<Name>
  }
}
