import { userInfo } from 'node:os'
import { Catalog } from '../catalog/catalog.ts'
import type { Actor } from '../catalog/store.ts'
import { createSqliteCatalogStore } from '../storage/catalog-store.ts'
import { dataFile, openDatabase } from '../storage/database.ts'
import { StorageError } from '../storage/errors.ts'
import { SqliteFleetReads } from '../storage/fleet-reads.ts'
import { storedVersion } from '../storage/header.ts'
import { prepareDatabase } from '../storage/prepare.ts'
import { dataFolderOf } from './data-folder.ts'
import type { DataOptions } from './options.ts'

/** Who the command line acts as, for the audit log. */
export function commandLineActor(): Actor {
  return { kind: 'command_line', name: accountName() }
}

/**
 * Runs `work` on the catalog of an existing database, whether a server runs on it or not.
 * Throws `StorageError`, `missing` where there is no database; then no file is created.
 */
export async function withCatalog<T>(
  options: DataOptions,
  work: (catalog: Catalog) => Promise<T>,
): Promise<T> {
  return await onCatalog(existingDatabase(options), work)
}

/** The same, but creates the database where there is none. */
export async function withNewCatalog<T>(
  options: DataOptions,
  work: (catalog: Catalog) => Promise<T>,
): Promise<T> {
  const folder = dataFolderOf(options)
  prepareDatabase(folder, { lockHeld: false })
  return await onCatalog(dataFile(folder), work)
}

/** Runs `work` on the catalog and on what is stored of the fleet. */
export async function withFleet<T>(
  options: DataOptions,
  work: (catalog: Catalog, fleet: SqliteFleetReads) => Promise<T>,
): Promise<T> {
  return await withCatalog(options, async (catalog) => {
    const database = openDatabase(dataFile(dataFolderOf(options)), { readonly: true })
    try {
      return await work(catalog, new SqliteFleetReads(database))
    } finally {
      database.close()
    }
  })
}

async function onCatalog<T>(file: string, work: (catalog: Catalog) => Promise<T>): Promise<T> {
  const store = createSqliteCatalogStore(file)
  try {
    return await work(await Catalog.open(store))
  } finally {
    store.close()
  }
}

function existingDatabase(options: DataOptions): string {
  const folder = dataFolderOf(options)
  const file = dataFile(folder)
  if (storedVersion(file) === 0) {
    const mend = '"app create" or "serve" makes one, --data names another folder'
    throw new StorageError('missing', `there is no database in ${folder}; ${mend}`)
  }
  prepareDatabase(folder, { lockHeld: false })
  return file
}

function accountName(): string {
  try {
    return userInfo().username
  } catch {
    // An account that the system has no name for, as in some containers.
    return 'unknown'
  }
}
