import { serveTasks } from '../threads/serve-tasks.ts'
import { proveArtifact } from './prove-artifact.ts'

serveTasks(proveArtifact)
