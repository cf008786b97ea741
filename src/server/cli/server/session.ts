import type { Actor } from '../../catalog/audit-log.ts'
import { Catalog } from '../../catalog/catalog.ts'
import { accountName } from '../../runtime/account.ts'
import type { AttachedStorage, ServedPart } from '../../storage/interface/storage.ts'
import { attachStorage } from '../../storage/open-storage.ts'
import { FULL_ACCESS } from '../../use-cases/access.ts'
import { type Principal, personOfUser } from '../../use-cases/principal.ts'
import { EXIT } from '../command/errors.ts'
import { report } from '../command/output.ts'
import type { DataOptions } from '../data/data-folder.ts'
import { requireDatabase } from '../data/database.ts'
import { storageOf } from '../data/storage-config.ts'
import { text } from '../strings/common.ts'

/** Milliseconds that a running server has to apply a change. */
const FOLLOW_TIME = 5_000
/** Who the command line acts as, for the audit log. */
export function commandLineActor(): Actor {
  return { kind: 'command_line', name: accountName() }
}

/** Who the command line acts as. It may do everything, and sees all apps. */
export function commandLinePrincipal(): Principal {
  const actor = commandLineActor()
  return { actor, access: FULL_ACCESS, seesArchived: true, person: personOfUser(actor.name) }
}

/** Runs `work` on a database, whether a server runs on it or not. Unless it may `create` one, throws `Failure` without one. */
export async function withStorage<T>(
  options: DataOptions,
  work: (parts: { catalog: Catalog; storage: AttachedStorage }) => Promise<T>,
  { create = false }: { readonly create?: boolean } = {},
): Promise<T> {
  const config = storageOf(options)
  if (!create) await requireDatabase(config)
  const storage = await attachStorage(config)
  try {
    const catalog = await Catalog.open(storage.catalog)
    const before = catalog.snapshot.revision
    const result = await work({ catalog, storage })
    const { revision } = catalog.snapshot
    if (revision !== before) await requireConfirmation(storage, 'catalog', revision)
    return result
  } finally {
    await storage.close()
  }
}

/**
 * Waits until the server that runs on the folder has applied a change, so that a release that was
 * rolled back is no longer offered once the command has ended, and a link that was printed works. The command prints its output either
 * way; the exit code shows a missing confirmation.
 */
export async function requireConfirmation(
  storage: AttachedStorage,
  part: ServedPart,
  revision: number,
): Promise<void> {
  if (await storage.confirmed(part, revision, FOLLOW_TIME)) return
  const pid = (await storage.engine.holder())?.pid
  report(text.warning(text.unconfirmed(pid, FOLLOW_TIME / 1_000)))
  process.exitCode = EXIT.unconfirmed
}
