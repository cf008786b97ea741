import { serveTasks } from '../../threads/serve-tasks.ts'
import { makeBlockMap } from './make-block-map.ts'

serveTasks(makeBlockMap)
