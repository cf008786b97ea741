import type { Logger } from 'pino'
import { Catalog, type CatalogParts } from './catalog/catalog.ts'
import type { Closing } from './closing.ts'
import {
  createSqliteCatalogStore,
  type SqliteCatalogStore,
} from './storage/catalog/catalog-store.ts'
import { DatabaseFiles } from './storage/data-folder/database-files.ts'
import { ServedRevision } from './storage/data-folder/served-revision.ts'

interface Parts {
  readonly dataFolder: string
  /** The prepared database. */
  readonly file: string
  readonly log: Logger
  readonly closing: Closing
  readonly catalogParts: Pick<CatalogParts, 'clock' | 'newId'>
  /** Returns a failure handler that logs what failed. */
  readonly failed: (what: string) => (error: unknown) => void
}

/** The catalog, and what watches its file. */
export interface CatalogPart {
  readonly catalog: Catalog
  readonly catalogStore: SqliteCatalogStore
  readonly databaseFiles: DatabaseFiles
  readonly served: ServedRevision
}

/** Opens the catalog and watches its file, for changes by other processes and for removal. */
export async function openCatalog(parts: Parts): Promise<CatalogPart> {
  const { dataFolder, file, log, closing, catalogParts, failed } = parts
  // Written before the catalog is read: a command that finds no file knows that its change will be read.
  const served = new ServedRevision(dataFolder)
  closing.add(() => served.release())
  const databaseFiles = new DatabaseFiles(file)
  const beforeWrite = () => databaseFiles.check()
  const options = { checkpoint: 'elsewhere', thread: true, beforeWrite } as const
  const catalogStore = createSqliteCatalogStore(file, options)
  closing.add(() => catalogStore.close())
  const catalog = await Catalog.open(catalogStore, failed('could not reload the catalog'), {
    ...catalogParts,
    onServed: (revision) => served.set(revision),
  })
  await databaseFiles.remember()
  databaseFiles.watch((trouble) => {
    if (trouble === null) log.info('the database file is back')
    else log.error({ trouble }, 'the database file is gone: writes are suspended')
  })
  closing.add(() => databaseFiles.stop())
  catalog.watch()
  closing.add(() => catalog.stop())
  return { catalog, catalogStore, databaseFiles, served }
}
