import { serveTasks } from '../threads/serve-tasks.ts'
import { inspectArtifact } from './inspect-artifact.ts'
import type { ThreadTask } from './proof-thread.ts'
import { proveArtifact } from './prove-artifact.ts'

serveTasks((task: ThreadTask, signal, onProgress) =>
  'inspect' in task
    ? inspectArtifact(task.inspect, signal)
    : proveArtifact(task.prove, signal, onProgress),
)
