import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { LostReleases } from '../storage/restored-releases.ts'
import { dataFolderOf } from './data-folder.ts'
import { addCommand, type DataOptions } from './options.ts'
import { print, say } from './output.ts'

/** `restore`. */
export function addRestoreCommand(program: Command): void {
  addCommand(program, 'restore', 'put a backup in the place of the database; stop the server first')
    .argument('<file>', 'the backup')
    .action(restore)
}

async function restore(file: string, options: DataOptions): Promise<void> {
  const { restoreDatabase } = await import('../storage/restore.ts')
  const { commandLineActor } = await import('./session.ts')
  const actor = commandLineActor()
  const { aside, offered, lost } = await restoreDatabase(dataFolderOf(options), file, { actor })
  print(`Restored ${resolve(file)}; it was checked before.`)
  if (aside !== undefined) print(`The database that was there is kept as ${aside}.`)
  if (offered > 0) {
    const releases = offered === 1 ? '1 release' : `${offered} releases`
    print(
      `Marked ${releases} as offered, because devices may have been offered them since the backup.`,
    )
  }
  if (lost.count > 0) for (const line of warning(lost)) say(line)
}

function warning({ count, newest }: LostReleases): string[] {
  const what = count === 1 ? '1 release is' : `${count} releases are`
  const more = count - newest.length
  return [
    `warning: ${what} not in the backup, and devices may run them. Publish them again with the same files:`,
    ...newest.map(({ app, channel, version }) => `  ${app} ${channel} ${version}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
}
