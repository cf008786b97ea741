import { serveTasks } from '../../runtime/threads/serve-tasks.ts'
import { make } from './make.ts'

serveTasks(make)
