import { TaskThreads } from '../../threads/task-threads.ts'
import { workerUrl } from '../../threads/worker-url.ts'
import type { MakingAnswer, MakingTask } from './make.ts'

const threads = new TaskThreads<MakingTask, MakingAnswer>(
  workerUrl('making-worker', import.meta.url),
  { limits: { maxOldGenerationSizeMb: 128 } },
)

/**
 * `make` on a thread, because it takes a processor for seconds. Throws the reason of `signal`, and what the thread died of.
 */
export function makeOnThread(task: MakingTask, signal: AbortSignal): Promise<MakingAnswer> {
  return threads.run(task, signal)
}
