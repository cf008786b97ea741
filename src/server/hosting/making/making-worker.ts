import { serveTasks } from '../../threads/serve-tasks.ts'
import { make } from './make.ts'

serveTasks(make)
