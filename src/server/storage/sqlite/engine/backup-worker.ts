import { serveTasks } from '../../../runtime/threads/serve-tasks.ts'
import { storageProblem } from '../../data-folder/errors.ts'
import { BACKUP_WORK, type BackupAnswer, type BackupTask } from '../backup/backup-work.ts'

serveTasks<BackupTask, BackupAnswer>(async (task, signal) => {
  try {
    return { value: await BACKUP_WORK[task.name](task, signal) }
  } catch (error) {
    return { problem: storageProblem(error, task.copy) }
  }
})
