import { accountName } from '../account.ts'
import type { Actor } from '../catalog/audit-log.ts'
import { Catalog } from '../catalog/catalog.ts'
import type { FleetReads } from '../fleet/store.ts'
import type { AttachedStorage } from '../storage/interface/storage.ts'
import { attachStorage } from '../storage/open-storage.ts'
import { FULL_ACCESS } from '../updates/access.ts'
import { type Principal, personOfUser } from '../updates/principal.ts'
import { type DataOptions, dataFolderOf } from './data-folder.ts'
import { requireDatabase } from './database.ts'
import { report } from './output.ts'
import { text } from './strings/common.ts'

/** Milliseconds that a running server has to apply a change of the catalog. */
const FOLLOW_TIME = 5_000
/** Exit code of a command whose change is stored but was not confirmed by the running server. */
const UNCONFIRMED = 3

/** Who the command line acts as, for the audit log. */
export function commandLineActor(): Actor {
  return { kind: 'command_line', name: accountName() }
}

/** Who the command line acts as. It may do everything, and sees all apps that are not archived. */
export function commandLinePrincipal(): Principal {
  const actor = commandLineActor()
  return { actor, access: FULL_ACCESS, seesArchived: false, person: personOfUser(actor.name) }
}

/**
 * Runs `work` on the catalog of an existing database, whether a server runs on it or not.
 * Throws `Failure` when there is no database; then no file is created.
 */
export async function withCatalog<T>(
  options: DataOptions,
  work: (catalog: Catalog) => Promise<T>,
): Promise<T> {
  return await withStorage(existing(options), ({ catalog }) => work(catalog))
}

/** The same, but creates the database if there is none. */
export async function withNewCatalog<T>(
  options: DataOptions,
  work: (catalog: Catalog) => Promise<T>,
): Promise<T> {
  return await withStorage(dataFolderOf(options), ({ catalog }) => work(catalog))
}

/** Runs `work` on the catalog of an existing database, and on what it holds of the fleet. */
export async function withFleet<T>(
  options: DataOptions,
  work: (catalog: Catalog, fleet: FleetReads) => Promise<T>,
): Promise<T> {
  return await withStorage(existing(options), ({ catalog, storage }) =>
    work(catalog, storage.fleet()),
  )
}

/** Runs `work` on the storage of an existing database. Throws as `withCatalog` does. */
export async function withExisting<T>(
  options: DataOptions,
  work: (parts: { catalog: Catalog; storage: AttachedStorage }) => Promise<T>,
): Promise<T> {
  return await withStorage(existing(options), work)
}

function existing(options: DataOptions): string {
  const dataFolder = dataFolderOf(options)
  requireDatabase(dataFolder)
  return dataFolder
}

async function withStorage<T>(
  dataFolder: string,
  work: (parts: { catalog: Catalog; storage: AttachedStorage }) => Promise<T>,
): Promise<T> {
  const storage = attachStorage({ dataFolder })
  try {
    const catalog = await Catalog.open(storage.catalog)
    const before = catalog.snapshot.revision
    const result = await work({ catalog, storage })
    const { revision } = catalog.snapshot
    if (revision !== before) await requireConfirmation(storage, revision)
    return result
  } finally {
    await storage.close()
  }
}

/**
 * Waits until the server that runs on the folder has applied a change, so that a release that was
 * rolled back is no longer offered once the command has ended. The command prints its output either
 * way; the exit code shows a missing confirmation.
 */
async function requireConfirmation(storage: AttachedStorage, revision: number): Promise<void> {
  if (await storage.confirmed(revision, FOLLOW_TIME)) return
  const pid = storage.engine.holder()?.pid
  report(text.warning(text.unconfirmed(pid, FOLLOW_TIME / 1_000)))
  process.exitCode = UNCONFIRMED
}
