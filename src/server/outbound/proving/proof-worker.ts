import { serveTasks } from '../../runtime/threads/serve-tasks.ts'
import { proveArtifact } from './prove-artifact.ts'

serveTasks(proveArtifact)
