import { serveTasks } from '../../runtime/threads/serve-tasks.ts'
import { storageProblem } from '../../storage/open-storage.ts'
import { copyFiles, type FileCopyProgress, type FileCopyTask } from './copy-files.ts'
import type { FileCopyAnswer } from './copy-files-thread.ts'

serveTasks<FileCopyTask, FileCopyAnswer, FileCopyProgress>(async (task, signal, onProgress) => {
  try {
    return { copied: await copyFiles(task, signal, onProgress) }
  } catch (error) {
    return { problem: storageProblem(error, task.to) }
  }
})
