import type { FileIssue, Holder, StorageProblem } from '../../operation/storage-problem.ts'
import { formatCounted, formatSize } from '../format.ts'

/** Returns what is wrong with the database or its folder, and what to do about it. */
export function storageProblemSentence(problem: StorageProblem): string {
  const { code, file, circumstance } = problem
  if (circumstance?.kind === 'backup') return backupProblemSentence(problem)
  const special = circumstanceSentence(problem)
  if (special !== undefined) return special
  const sentences: Partial<Record<StorageProblem['code'], string>> = {
    missing: `The database ${file} does not exist. Check the path, or start the server to create it.`,
    not_a_database: `${file} is not a SQLite database. Nothing was changed. Move it elsewhere, or choose another file.`,
    foreign_database: `${file} belongs to another program. Nothing was changed. Move it elsewhere, or choose another file.`,
    empty: `${file} is empty. Restore a backup, or start the server to create a database.`,
    newer_database: `${file} was written by a newer version of Tidegate. Nothing was changed. Install that version, or restore an older backup.`,
    corrupt: `${file} is damaged${why(problem)}. Stop the server, keep a copy of the data folder and restore a backup.`,
    in_use: `${file} is the database itself. Choose another file.`,
    exists: `${file} already exists. Choose another file.`,
    replaceable: `${file} already exists. Choose another file.`,
    full: `There is no space left for ${file}${why(problem)}. Free some space and try again.`,
  }
  return sentences[code] ?? accessSentence(code, problem)
}

/** Returns what is wrong with a backup, or with the folder of the backups, and what to do about it. */
export function backupProblemSentence(problem: StorageProblem): string {
  const { code, file, circumstance } = problem
  const sentences: Partial<Record<StorageProblem['code'], string>> = {
    missing: `The backup ${file} does not exist. Check the path.`,
    not_a_database: `${file} is not a database. Choose another backup.`,
    foreign_database: `${file} is not a backup of Tidegate. Choose another one.`,
    empty: `${file} is not a backup of Tidegate. Choose another one.`,
    newer_database: `${file} was created by a newer version of Tidegate. Install that version, or choose an older backup.`,
    corrupt: `${file} is damaged${why(problem)}. Choose another backup.`,
    in_use: `${file} is the current database. Choose a backup.`,
    exists: `${file} already exists. Try again.`,
    replaceable: `${file} already exists. Try again.`,
    full: `There is no space left for ${file}${why(problem)}. Free some space, or choose a folder on another disk.`,
  }
  const isSpecial =
    (code === 'missing' && circumstance?.kind === 'no_folder') ||
    (code === 'corrupt' && circumstance?.kind === 'new_copy') ||
    (code === 'full' && circumstance !== undefined)
  const usual = isSpecial ? undefined : sentences[code]
  return usual ?? circumstanceSentence(problem) ?? accessSentence(code, problem)
}

/** Returns the sentence of a problem with a circumstance, undefined for others. */
function circumstanceSentence(problem: StorageProblem): string | undefined {
  const { file, detail, circumstance } = problem
  switch (circumstance?.kind) {
    case undefined:
    case 'backup':
      return undefined
    case 'changed_in_use':
      return `${file} was ${CHANGES[circumstance.issue]} while the server was running. Changes cannot be saved. Put the file back, or stop the server and restore a backup.`
    case 'orphaned_log':
      return `${file} does not exist, but its log ${circumstance.log} does. Restore a backup, or move the log elsewhere to start with an empty database.`
    case 'held':
      return `The data folder ${file} is in use by ${holderName(circumstance.holder)}. Stop it and try again.`
    case 'files_held':
      return `The folder ${file} for stored files is in use by ${processName(circumstance.holder)}. Choose another folder, or stop that process.`
    case 'files_elsewhere':
      return `Other nodes of the database do not store their files in ${file}. Start this one with the same folder or bucket, or stop all other nodes and wait a minute.`
    case 'being_moved':
      return `The database ${file} is being moved. Wait for the move to finish, or stop it.`
    case 'opened_elsewhere':
      return `Another process has ${file} open. Nothing was changed. Wait for it to finish, or stop it.`
    case 'many_changes':
      return 'Other changes are still being written. Try again in a few seconds.'
    case 'backup_running':
      return `Another backup is writing ${file}. Wait for it to finish.`
    case 'too_little_space': {
      const [needed, free] = [circumstance.neededBytes, circumstance.freeBytes].map(formatSize)
      return `There is not enough space for a backup in ${file}: ${needed} needed, ${free} free. Free some space, or choose a folder on another disk.`
    }
    case 'stored_files': {
      const { count, name } = circumstance
      const files = `${formatCounted(count, 'stored file')} ${count === 1 ? 'is' : 'are'} missing or damaged in ${file}`
      return `${files}, such as ${name}. Everything else was backed up. Upload ${count === 1 ? 'it' : 'them'} again.`
    }
    case 'schema': {
      const versions = `schema ${circumstance.found}; this version supports up to ${circumstance.known}`
      return `${file} was written by a newer version of Tidegate (${versions}). Nothing was changed. Install that version, or restore an older backup.`
    }
    case 'older_server': {
      const { found, needed, holder } = circumstance
      return `${file} has schema ${found}, and this version needs ${needed}. It is in use by an older version: ${holderName(holder)}. Restart it with this version and try again.`
    }
    case 'cut_off': {
      const { bytes, expectedBytes } = circumstance
      if (bytes === 0) {
        return `${file} is empty (0 bytes). Nothing was changed. Restore a backup, or delete the file to start with an empty database.`
      }
      return `${file} is damaged: it ends after ${bytes} of ${expectedBytes} bytes. Nothing was changed. Restore a backup.`
    }
    case 'new_copy':
      return `The copy ${file} is damaged${why(problem)}. Run the doctor command on the data folder, or use another backup.`
    case 'no_folder':
      return `The folder ${file} does not exist. Create it, or choose another one.`
    case 'not_a_folder':
      return `${file} is not a folder. Choose another one.`
    case 'no_new_folder':
      return `${file} cannot be created because its file system does not allow it. Choose another folder.`
    case 'replaced':
      return `${file} was replaced by another file. Restart the server to use it.`
    case 'no_log':
      return `The file system of ${file} does not support a write-ahead log. Move the data folder to a local disk.`
    case 'undone': {
      const { circumstance: _, ...cause } = problem
      const reason =
        problem.code === 'migration_failed' ? `${detail}.` : storageProblemSentence(cause)
      return `Migration ${circumstance.migration} of ${file} was undone: ${reason} The database is unchanged.`
    }
    case 'migrated_elsewhere':
      return `${file} was upgraded by another process at the same time. Start again.`
    case 'database_server':
      return databaseServerSentence(problem)
    case 'server_version':
      return `${file} is on PostgreSQL ${circumstance.found}, and Tidegate needs version ${circumstance.needed} or later. Nothing was changed. Upgrade PostgreSQL, or choose another server.`
    case 'encoding':
      return `The database ${file} has the encoding ${circumstance.found}, and Tidegate needs UTF8. Nothing was changed. Create a database with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.`
    case 'other_tables':
      return `The schema ${circumstance.schema} of ${file} has tables of another program. Nothing was changed. Create a database for Tidegate alone.`
    case 'older_nodes':
      return `${formatCounted(circumstance.nodes, 'node')} of an older version ${circumstance.nodes === 1 ? 'is' : 'are'} running on ${file} and could not go on. Nothing was changed. Stop them, then start this version.`
    default:
      return circumstance satisfies never
  }
}

/** The sentences of a database on a server. */
function databaseServerSentence(problem: StorageProblem): string {
  const { code, file } = problem
  const sentences: Partial<Record<StorageProblem['code'], string>> = {
    busy: `The database ${file} is busy${why(problem)}. Try again.`,
    locked: `The database ${file} is busy${why(problem)}. Try again.`,
    unopenable: `The database ${file} cannot be opened${why(problem)}. Check its name, and the user and the password in its address.`,
    unwritable: `The database ${file} refused a write${why(problem)}. Check that it is not a standby, and that the user may create tables in its schema.`,
    full: `There is no space left for the database ${file}${why(problem)}. Free some space on the disk of the database server.`,
    corrupt: `The database ${file} is damaged${why(problem)}. Stop the servers, and restore a backup with the tools of PostgreSQL.`,
  }
  return sentences[code] ?? accessSentence(code, problem)
}

/** The sentences that a database and a backup share. */
function accessSentence(code: StorageProblem['code'], problem: StorageProblem): string {
  const { file } = problem
  const sentences: Partial<Record<StorageProblem['code'], string>> = {
    locked: `${file} is locked by another process${why(problem)}. Try again, or stop that process.`,
    busy: `${file} is locked by another process${why(problem)}. Try again, or stop that process.`,
    unwritable: `Permission denied for ${file}${why(problem)}. Give this account read and write access to the file and its folder.`,
    unopenable: `${file} cannot be opened${why(problem)}. Check that the file exists and that this account can read and write it.`,
    io: `${file} cannot be read or written${why(problem)}. Check the disk that holds it.`,
    unreachable: `The database ${file} cannot be reached${why(problem)}. Check that it is running and that this computer may connect to it.`,
    moving: `${file} is the target of a move that has not finished. Run the same move again to continue it, or "tidegate move --to … --discard" to remove what was copied.`,
    unsupported: `The database ${file} is backed up and restored with the tools of PostgreSQL, such as pg_dump.`,
  }
  return sentences[code] ?? `An operation on ${file} failed${why(problem)}. Try again.`
}

const CHANGES: Readonly<Record<FileIssue, string>> = {
  missing: 'deleted or moved',
  replaced: 'replaced',
  emptied: 'emptied',
}

function holderName(holder: Holder | null): string {
  if (holder === null) return 'another process'
  const { address, pid } = holder
  if (address !== null) return `the server at ${address} (process ${pid})`
  return `process ${pid} (a server that is starting, or a maintenance command)`
}

function processName(holder: Holder | null): string {
  return holder === null ? 'another process' : `process ${holder.pid}`
}

function why({ detail }: StorageProblem): string {
  return detail === null ? '' : ` (${detail})`
}
