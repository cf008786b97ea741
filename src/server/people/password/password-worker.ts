import { serveTasks } from '../../threads/serve-tasks.ts'
import { createJudge } from './judge.ts'

serveTasks(createJudge())
