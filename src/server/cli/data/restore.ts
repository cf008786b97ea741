import { resolve } from 'node:path'
import type { Command } from 'commander'
import { accessGroups } from '../../../shared/wording/operation/restored-access.ts'
import type { CarriedOver, LostReleases } from '../../storage/interface/backups.ts'
import { addLocalCommand } from '../command/options.ts'
import { print, printJson, report } from '../command/output.ts'
import { RestoreDocument } from '../documents/backups.ts'
import { text as common } from '../strings/common.ts'
import { text } from '../strings/database.ts'
import { addFilesOptions, type FilesOptions } from './kept-files.ts'
import { storageOf } from './storage-config.ts'

const words = text.restore

/** `restore`. */
export function addRestoreCommand(program: Command): void {
  const command = addLocalCommand(program, 'restore', words.description, RestoreDocument)
  addFilesOptions(command, words.withFiles).argument('<file>', words.file).action(restore)
}

async function restore(file: string, options: FilesOptions): Promise<void> {
  const { storageEngine } = await import('../../storage/open-storage.ts')
  const { restoreStoredFiles } = await import('./restore-files.ts')
  const { commandLineActor } = await import('../server/session.ts')
  const actor = commandLineActor()
  const engine = storageEngine(storageOf(options))
  const files = await restoreStoredFiles(engine, resolve(file), options)
  const result = await engine.restore(file, { actor })
  const { aside, offered, carriedOver, access, lost } = result
  if (options.json) {
    const previous = aside ?? null
    const rest = { aside: previous, offered, carriedOver, access, lost, files }
    printJson(RestoreDocument, { file: resolve(file), ...rest })
    return
  }
  print(words.done(resolve(file)))
  if (aside !== undefined) print(words.previous(aside))
  if (files !== null && files.restored > 0) print(words.filesRestored(files.restored, files.bytes))
  if (offered > 0) print(words.offered(offered))
  if (carriedOver === null) report(common.warning(words.nothingKept))
  else for (const line of kept(carriedOver)) print(line)
  for (const { heading, items } of accessGroups(access)) {
    print(heading)
    for (const item of items) print(`  ${item}`)
  }
  if (lost.count > 0) reportReleases(words.lost(lost.count), lost)
  if (files !== null && files.lacking.count > 0) {
    reportReleases(words.lacking(files.lacking.count), files.lacking)
  }
}

function kept({ rolledBack, servingKept, keysRevoked }: CarriedOver): string[] {
  return [
    ...(rolledBack > 0 ? [words.rolledBack(rolledBack)] : []),
    ...(servingKept > 0 ? [words.serving(servingKept)] : []),
    ...(keysRevoked > 0 ? [words.revoked(keysRevoked)] : []),
  ]
}

function reportReleases(what: string, { count, newest }: LostReleases): void {
  report(common.warning(what))
  for (const { app, channel, version } of newest) {
    report(words.lostRelease(app, channel, version))
  }
  if (count > newest.length) report(words.moreLost(count - newest.length))
}
