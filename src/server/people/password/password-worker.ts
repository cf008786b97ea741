import { serveTasks } from '../../threads/serve-tasks.ts'
import { createJudge } from './strength.ts'

serveTasks(createJudge())
