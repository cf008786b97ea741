import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import type { StorageEngine } from '../../storage/interface/engine.ts'
import { StorageError } from '../../storage/interface/storage-error.ts'
import { Failure, UsageError } from '../command/errors.ts'
import { addLocalCommand } from '../command/options.ts'
import { print, printJson, report } from '../command/output.ts'
import { shownWork } from '../command/percent-progress.ts'
import { BackupDocument } from '../documents/backups.ts'
import { text } from '../strings/database.ts'
import { addFilesOptions, type FilesOptions, keptFolderOf } from './kept-files.ts'

const words = text.backup

interface BackupOptions extends FilesOptions {
  readonly force?: boolean
}

/** `backup`. */
export function addBackupCommand(program: Command): void {
  const command = addLocalCommand(program, 'backup', words.description, BackupDocument)
  addFilesOptions(command, words.withFiles)
    .argument('<file>', words.file)
    .option('--force', words.force)
    .action(backup)
}

async function backup(file: string, options: BackupOptions): Promise<void> {
  const { existingStorage } = await import('./database.ts')
  const engine = await existingStorage(options)
  const folder = options.withFiles ? await requireFolder(options, engine) : undefined
  const target = resolve(file)
  if (!existsSync(dirname(target))) throw new Failure(words.noFolder(dirname(target)))
  const result = await backUpDatabase(engine, file, options)
  if (!options.json) print(words.done(result.bytes, target, result.milliseconds / 1_000))
  const files = folder === undefined ? null : await backUpFiles(engine, target, folder)
  if (options.json) printJson(BackupDocument, { file: target, ...result, files })
  else if (files !== null) print(words.filesDone(files.copied, files.bytes, files.folder))
}

async function backUpDatabase(engine: StorageEngine, file: string, { force }: BackupOptions) {
  try {
    return await shownWork(
      { part: words.copying, all: words.verifying },
      () => new Failure(words.interrupted),
      (signal, onProgress) => engine.backup(file, { overwrite: force, onProgress, signal }),
    )
  } catch (error) {
    if (!(error instanceof StorageError) || error.code !== 'replaceable') throw error
    throw new Failure(words.exists(resolve(file)))
  }
}

async function backUpFiles(engine: StorageEngine, backup: string, folder: string) {
  const { backUpFiles: copy } = await import('./backup-files.ts')
  try {
    return await shownWork(
      { part: words.copyingFiles, all: words.filesCopied },
      () => new Failure(words.filesInterrupted(backup)),
      (signal, show) =>
        copy(engine, { backup, folder }, signal, ({ done, total }) => show(done, total)),
    )
  } catch (error) {
    if (error instanceof StorageError) report(words.filesFailed(backup))
    throw error
  }
}

/** Rejects with `UsageError` if nothing says where the stored files are. */
async function requireFolder(options: BackupOptions, engine: StorageEngine): Promise<string> {
  const folder = await keptFolderOf(options, engine)
  if (folder === undefined) throw new UsageError(text.files.unknownFolder)
  return folder
}
