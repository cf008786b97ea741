import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { CarriedOver, LostReleases } from '../storage/interface/backups.ts'
import { type DataOptions, dataFolderOf } from './data-folder.ts'
import { addCommand } from './options.ts'
import { print, report } from './output.ts'

/** `restore`. */
export function addRestoreCommand(program: Command): void {
  addCommand(program, 'restore', 'put a backup in the place of the database; stop the server first')
    .argument('<file>', 'the backup')
    .action(restore)
}

const NOT_CARRIED_OVER =
  'warning: the replaced database cannot be read, so rollbacks, rollout changes and key revocations' +
  ' since the backup are lost. Repeat them before you start the server.'

async function restore(file: string, options: DataOptions): Promise<void> {
  const { storageEngine } = await import('../storage/open-storage.ts')
  const { commandLineActor } = await import('./session.ts')
  const actor = commandLineActor()
  const engine = storageEngine({ dataFolder: dataFolderOf(options) })
  const result = await engine.restore(file, { actor })
  const { aside, offered, carriedOver, lost } = result
  print(`Restored ${resolve(file)}; it was checked before.`)
  if (aside !== undefined) print(`The database that was there is kept as ${aside}.`)
  if (offered > 0) {
    print(
      `Marked ${counted(offered, 'release')} as offered: devices may have been offered them since the backup.`,
    )
  }
  if (carriedOver === null) report(NOT_CARRIED_OVER)
  else for (const line of carriedOverInWords(carriedOver)) print(line)
  if (lost.count > 0) for (const line of warning(lost)) report(line)
}

function carriedOverInWords({ rolledBack, servingKept, keysRevoked }: CarriedOver): string[] {
  return [
    ...(rolledBack > 0
      ? [`Kept ${counted(rolledBack, 'release')} rolled back, as done since the backup.`]
      : []),
    ...(servingKept > 0
      ? [`Kept the later rollout, targets and status of ${counted(servingKept, 'release')}.`]
      : []),
    ...(keysRevoked > 0
      ? [`Kept ${counted(keysRevoked, 'API key')} revoked, as done since the backup.`]
      : []),
  ]
}

function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count} ${what}s`
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
