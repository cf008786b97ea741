import { TaskThreads } from '../../threads/task-threads.ts'
import { workerUrl } from '../../threads/worker-url.ts'
import type { BlockMapAnswer, BlockMapTask } from './make-block-map.ts'

const threads = new TaskThreads<BlockMapTask, BlockMapAnswer>(
  workerUrl('block-map-worker', import.meta.url),
  { limits: { maxOldGenerationSizeMb: 128 } },
)

/**
 * `makeBlockMap` on a thread, because it takes a processor for seconds. Throws the reason of `signal`, and what the thread
 * died of.
 */
export function makeBlockMapOnThread(
  task: BlockMapTask,
  signal: AbortSignal,
): Promise<BlockMapAnswer> {
  return threads.run(task, signal)
}
