import { TaskThreads } from '../../runtime/threads/task-threads.ts'
import { workerUrl } from '../../runtime/threads/worker-url.ts'
import type { Inspection, InspectTask } from './inspect-artifact.ts'
import type { ProofProgress, ProofResult, ProofTask } from './prove-artifact.ts'

/** What the thread does with a file. */
export type ThreadTask = { readonly prove: ProofTask } | { readonly inspect: InspectTask }

const script = workerUrl('proof-worker', import.meta.url)
const provers = new TaskThreads<ThreadTask, ProofResult, ProofProgress>(script, {
  limits: { maxOldGenerationSizeMb: 128 },
})
/** What is looked into is decompressed. */
const inspectors = new TaskThreads<ThreadTask, Inspection>(script, {
  limits: { maxOldGenerationSizeMb: 256 },
})

/** `proveArtifact` on a thread, because hashing takes a processor. Throws the reason of `signal`, and what the thread died of. */
export function proveOnThread(
  task: ProofTask,
  signal: AbortSignal,
  onProgress: (progress: ProofProgress) => void,
): Promise<ProofResult> {
  return provers.run({ prove: task }, signal, onProgress)
}

/** The same of `inspectArtifact`. */
export function inspectOnThread(task: InspectTask, signal: AbortSignal): Promise<Inspection> {
  return inspectors.run({ inspect: task }, signal)
}
