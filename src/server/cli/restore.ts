import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { CarriedOver, LostReleases } from '../storage/interface/backups.ts'
import { type DataOptions, dataFolderOf } from './data-folder.ts'
import { addCommand } from './options.ts'
import { print, report } from './output.ts'
import { text as common } from './strings/common.ts'
import { text } from './strings/database.ts'

const words = text.restore

/** `restore`. */
export function addRestoreCommand(program: Command): void {
  addCommand(program, 'restore', words.description).argument('<file>', words.file).action(restore)
}

async function restore(file: string, options: DataOptions): Promise<void> {
  const { storageEngine } = await import('../storage/open-storage.ts')
  const { commandLineActor } = await import('./session.ts')
  const actor = commandLineActor()
  const engine = storageEngine({ dataFolder: dataFolderOf(options) })
  const result = await engine.restore(file, { actor })
  const { aside, offered, carriedOver, lost } = result
  print(words.done(resolve(file)))
  if (aside !== undefined) print(words.previous(aside))
  if (offered > 0) print(words.offered(offered))
  if (carriedOver === null) report(common.warning(words.nothingKept))
  else for (const line of kept(carriedOver)) print(line)
  if (lost.count > 0) for (const line of warning(lost)) report(line)
}

function kept({ rolledBack, servingKept, keysRevoked }: CarriedOver): string[] {
  return [
    ...(rolledBack > 0 ? [words.rolledBack(rolledBack)] : []),
    ...(servingKept > 0 ? [words.serving(servingKept)] : []),
    ...(keysRevoked > 0 ? [words.revoked(keysRevoked)] : []),
  ]
}

function warning({ count, newest }: LostReleases): string[] {
  const more = count - newest.length
  return [
    common.warning(words.lost(count)),
    ...newest.map(({ app, channel, version }) => words.lostRelease(app, channel, version)),
    ...(more > 0 ? [words.moreLost(more)] : []),
  ]
}
