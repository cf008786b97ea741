import { serveTasks } from '../../runtime/threads/serve-tasks.ts'
import { type Inspection, inspectArtifact } from './inspect-artifact.ts'
import type { ThreadTask } from './proof-thread.ts'
import { type ProofProgress, type ProofResult, proveArtifact } from './prove-artifact.ts'

serveTasks<ThreadTask, Inspection | ProofResult, ProofProgress>((task, signal, onProgress) =>
  'inspect' in task
    ? inspectArtifact(task.inspect, signal)
    : proveArtifact(task.prove, signal, onProgress),
)
