import { resolve } from 'node:path'
import type { Command } from 'commander'
import { dataFolderOf } from './data-folder.ts'
import { addCommand, type DataOptions } from './options.ts'
import { print } from './output.ts'

/** `restore`. */
export function addRestoreCommand(program: Command): void {
  addCommand(program, 'restore', 'put a backup in the place of the database; stop the server first')
    .argument('<file>', 'the backup')
    .action(restore)
}

async function restore(file: string, options: DataOptions): Promise<void> {
  const { restoreDatabase } = await import('../storage/restore.ts')
  const { aside } = await restoreDatabase(dataFolderOf(options), file)
  print(`Restored ${resolve(file)}; it was checked before.`)
  if (aside !== undefined) print(`The database that was there is kept as ${aside}.`)
}
