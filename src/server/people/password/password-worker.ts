import { serveTasks } from '../../runtime/threads/serve-tasks.ts'
import { createJudge } from './judge.ts'

serveTasks(createJudge())
