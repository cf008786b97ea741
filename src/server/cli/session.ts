import { userInfo } from 'node:os'
import { Catalog } from '../catalog/catalog.ts'
import type { Actor } from '../catalog/store.ts'
import type { FleetReads } from '../fleet/store.ts'
import { createSqliteCatalogStore } from '../storage/catalog-store.ts'
import { openDatabase } from '../storage/database.ts'
import { SqliteFleetReads } from '../storage/fleet-reads.ts'
import { createDatabase, requireDatabase } from './database.ts'
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
  return await onCatalog(requireDatabase(options), work)
}

/** The same, but creates the database where there is none. */
export async function withNewCatalog<T>(
  options: DataOptions,
  work: (catalog: Catalog) => Promise<T>,
): Promise<T> {
  return await onCatalog(createDatabase(options), work)
}

/** Runs `work` on the catalog of an existing database, and on what it holds of the fleet. */
export async function withFleet<T>(
  options: DataOptions,
  work: (catalog: Catalog, fleet: FleetReads) => Promise<T>,
): Promise<T> {
  const file = requireDatabase(options)
  return await onCatalog(file, async (catalog) => {
    const database = openDatabase(file, { readonly: true })
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

function accountName(): string {
  try {
    return userInfo().username
  } catch {
    // An account that the system has no name for, as in some containers.
    return 'unknown'
  }
}
