import { TaskThreads } from '../../runtime/threads/task-threads.ts'
import { workerUrl } from '../../runtime/threads/worker-url.ts'
import type { ProofProgress, ProofResult, ProofTask } from './prove-artifact.ts'

const threads = new TaskThreads<ProofTask, ProofResult, ProofProgress>(
  workerUrl('proof-worker', import.meta.url),
  { limits: { maxOldGenerationSizeMb: 128 } },
)

/**
 * `proveArtifact` on a thread, because hashing takes a processor and requests are answered on the one that calls this. Throws
 * the reason of `signal`, and what the thread died of.
 */
export function proveOnThread(
  task: ProofTask,
  signal: AbortSignal,
  onProgress: (progress: ProofProgress) => void,
): Promise<ProofResult> {
  return threads.run(task, signal, onProgress)
}
