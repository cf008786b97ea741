import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import { workerUrl } from '../worker-url.ts'
import type { ProofProgress, ProofResult, ProofTask } from './prove-artifact.ts'

/** Hashing takes a processor, so that each proof has a thread: requests are answered on the one that starts it. */
export async function proveOnThread(
  task: ProofTask,
  signal: AbortSignal,
  onProgress: (progress: ProofProgress) => void,
): Promise<ProofResult> {
  signal.throwIfAborted()
  const worker = new Worker(workerUrl('proof-worker', import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  })
  try {
    // An 'error' of the thread is thrown here.
    for await (const [event] of on(worker, 'message', { signal, close: ['exit'] })) {
      if (event.type === 'result') return event.result
      onProgress(event.progress)
    }
    throw new Error('a proof ended without a result')
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    await worker.terminate()
  }
}
