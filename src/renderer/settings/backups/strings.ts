import type { RestoreProblem } from '../../../shared/console/backups.ts'
import { backupProblemSentence } from '../../../shared/wording/storage-problem.ts'

/** Returns why a backup cannot be read or restored, and what to do instead. */
export function restoreProblemInWords(problem: RestoreProblem): string {
  switch (problem.code) {
    case 'not_chosen':
      return 'Choose a backup from the list, or choose a file with “Restore a file…”.'
    case 'reading_ended':
      return 'The backup could not be read: the process that read it ended. Try again.'
    case 'restoring_ended':
      return 'The process that restored the backup ended before it was done. Either the present data or that of the backup is in place, whole: look before you try again.'
    case 'locked':
      return 'Another program uses the data folder. Stop it, and try again.'
    default:
      return backupProblemSentence(problem)
  }
}
