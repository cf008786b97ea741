import type { DeviceName } from '../../../fleet/facts.ts'
import { locationOf } from '../../interface/database-url.ts'
import type { CopyMaker, StorageEngine } from '../../interface/engine.ts'
import { StorageError } from '../../interface/storage-error.ts'
import type { PostgresDatabase } from '../connection/database.ts'

/** Milliseconds for a statement that reads all of a table. */
const READ_TIME = 3_600_000

/**
 * A database of PostgreSQL. The driver is loaded with the first operation. Backups are made and restored with the tools of
 * PostgreSQL: operations on them reject with `unsupported`.
 */
export class PostgresEngine implements StorageEngine {
  readonly location: string
  readonly makesBackups = false
  readonly copies: CopyMaker
  readonly #url: string
  readonly #open: PostgresDatabase | undefined

  /** `url`: the connection URI. `open`: an open database that is used in place of a connection for each operation. */
  constructor(url: string, open?: PostgresDatabase) {
    this.#url = url
    this.#open = open
    this.location = locationOf(url)
    const reject = () => this.#unsupported()
    const refuse = () => {
      throw this.#unsupported()
    }
    this.copies = {
      createFolder: refuse,
      make: async () => Promise.reject(reject()),
      inspect: async () => Promise.reject(reject()),
      filesNamedIn: async () => Promise.reject(reject()),
      compare: async () => Promise.reject(reject()),
      stage: async () => Promise.reject(reject()),
      // Nothing was left.
      unstage: () => {},
      schemaOf: refuse,
      discard: () => {},
    }
  }

  /** Also true for tables of another program. */
  async exists() {
    return await this.#with(async (database) => {
      const { databaseFacts } = await import('../migrations/usable-state.ts')
      return (await databaseFacts(database)).isFilled
    })
  }

  async version() {
    return await this.#with(async (database) => {
      const { usableState } = await import('../migrations/usable-state.ts')
      return (await usableState(database)).number
    })
  }

  async holder() {
    return await this.#with(async (database) => {
      const { usableState } = await import('../migrations/usable-state.ts')
      // Nodes are younger than the database.
      if ((await usableState(database)).number === 0) return undefined
      const { liveHolder } = await import('../nodes/live-nodes.ts')
      return await liveHolder(database)
    })
  }

  async space() {
    return await this.#with(async (database) => {
      const { readSpace } = await import('./examine.ts')
      return await readSpace(database)
    })
  }

  async backup(): Promise<never> {
    throw this.#unsupported()
  }

  async compare(): Promise<never> {
    throw this.#unsupported()
  }

  async restore(): Promise<never> {
    throw this.#unsupported()
  }

  async putBack(): Promise<never> {
    throw this.#unsupported()
  }

  async examine() {
    return await this.#with(async (database) => {
      const { examine } = await import('./examine.ts')
      return await examine(database)
    }, READ_TIME)
  }

  async planUpgrade() {
    return await this.#with(async (database) => {
      const { planUpgrade } = await import('../migrations/migrate.ts')
      return await planUpgrade(database)
    })
  }

  /** Makes no copy: the migration is one transaction, which is undone when it fails. */
  async upgrade() {
    return await this.#with(async (database) => {
      const { migrate } = await import('../migrations/migrate.ts')
      return { ...(await migrate(database)), copy: undefined }
    }, READ_TIME)
  }

  async isErasurePending(name: DeviceName) {
    return await this.#with(async (database) => {
      const { isErasurePending } = await import('../fleet/upkeep/erasures.ts')
      return await isErasurePending(database, name)
    })
  }

  /** Works beside nodes that run. */
  async erase(name: DeviceName) {
    return await this.#with(async (database) => {
      const { forgetDevices } = await import('../fleet/upkeep/erasures.ts')
      await forgetDevices(database, [name])
      return true
    })
  }

  async #with<T>(work: (database: PostgresDatabase) => Promise<T>, queryTime?: number): Promise<T> {
    if (this.#open !== undefined && queryTime === undefined) return await work(this.#open)
    const { PostgresDatabase } = await import('../connection/database.ts')
    const database = new PostgresDatabase(this.#url, 1, { queryTime })
    try {
      return await work(database)
    } finally {
      await database.close()
    }
  }

  #unsupported(): StorageError {
    return new StorageError({ code: 'unsupported', file: this.location })
  }
}
