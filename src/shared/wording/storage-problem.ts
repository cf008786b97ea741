import type { StorageProblem } from '../storage-problem.ts'

/** Returns what is wrong with a backup, or with the folder of the backups, and what to do about it. */
export function storageProblemSentence({ code, file, detail }: StorageProblem): string {
  const why = detail === null ? '' : ` (${detail})`
  switch (code) {
    case 'missing':
      return `There is no backup ${file}. Check the path.`
    case 'not_a_database':
      return `${file} is not a database. Choose another backup.`
    case 'foreign_database':
    case 'empty':
      return `${file} is not a backup of Tidegate. Choose another one.`
    case 'newer_database':
      return `${file} was made by a newer version of Tidegate. Install that version, or choose an older backup.`
    case 'corrupt':
      return `${file} is damaged${why}. Choose another backup.`
    case 'in_use':
      return `${file} is the present database. Choose a backup.`
    case 'exists':
    case 'replaceable':
      return `A file of that name already exists in ${file}. Try again.`
    case 'locked':
    case 'busy':
      return `${file} is locked by another process${why}. Try again, or stop that process.`
    case 'full':
      return `There is no space left for ${file}${why}. Free some space, or choose a folder on another disk.`
    case 'unwritable':
      return `Permission denied for ${file}${why}. Let this account read and write the file and its folder.`
    case 'unopenable':
      return `${file} cannot be opened${why}. Check that it is there, and that this account may read and write it.`
    case 'io':
      return `${file} cannot be read or written${why}. Check the disk that holds it.`
    case 'outdated':
    case 'migration_failed':
    case 'rejected':
    case 'closed':
    case 'failed':
      return `An operation on ${file} failed${why}. Try again.`
  }
}
