import type { AuditEntry } from '../../../catalog/audit-log.ts'
import type {
  CatalogChanges,
  CatalogListener,
  CatalogStore,
  CatalogWrites,
  KeyUse,
  TransactOptions,
} from '../../../catalog/store.ts'
import type { Changes } from '../changes/changes.ts'
import type { PostgresDatabase, Queries } from '../connection/database.ts'
import { type PartOptions, PartTransactions } from '../transactions/transactions.ts'
import { appendAudit } from './audit-log.ts'
import { CatalogChangeReader } from './catalog-changes.ts'
import { PostgresCatalogReads } from './catalog-reads.ts'
import { PostgresCatalogTransaction } from './catalog-transaction.ts'
import { setUsed } from './records.ts'
import { isFirstOffer, offerFirst } from './release-writes.ts'
import { scoped } from './scoped.ts'

const SET_RECORDED = 'UPDATE uploads SET recorded = true WHERE id = $1 AND NOT recorded'

/** The catalog in PostgreSQL. Its methods reject with `StorageError`, besides the refusals of their interface. */
export class PostgresCatalogStore extends PostgresCatalogReads implements CatalogStore {
  readonly #database: PostgresDatabase
  readonly #changes: Changes
  readonly #transactions: PartTransactions
  readonly #changeReader = new CatalogChangeReader()

  /** `changes`: of the same database. Both are closed by their owner. */
  constructor(database: PostgresDatabase, changes: Changes, options: PartOptions = {}) {
    super()
    this.#database = database
    this.#changes = changes
    this.#transactions = new PartTransactions(database, changes, 'catalog', options)
  }

  async changesSince(revision: number): Promise<CatalogChanges | null> {
    // Nearly always nothing has changed: that is one statement.
    if ((await this.revision()) === revision) return null
    return await this.askAtOnce((queries) => this.#changeReader.since(queries, revision))
  }

  watch(listener: CatalogListener): () => void {
    return this.#changes.announce('catalog', listener)
  }

  async transact<T>(
    work: (tx: CatalogWrites) => Promise<T>,
    options: TransactOptions = {},
  ): Promise<T> {
    return await this.#transactions.run(
      (scope, tx) => work(new PostgresCatalogTransaction(scoped(scope, tx))),
      options,
    )
  }

  async offerFirst(
    releaseId: string,
    seenRevision: number,
    options: TransactOptions = {},
  ): Promise<boolean> {
    // Every node learns late that a release was offered: most find that out without a lock.
    if (!(await this.ask((queries) => isFirstOffer(queries, releaseId, seenRevision)))) return false
    return await this.#transactions.run(
      (scope, tx) =>
        scope.operate(async () => {
          const isFirst = await offerFirst(tx, releaseId, seenRevision)
          if (isFirst) await scope.raise('catalog')
          return isFirst
        }),
      options,
    )
  }

  async recordKeyUse(uses: readonly KeyUse[]): Promise<void> {
    if (uses.length === 0) return
    await this.#transactions.run((scope, tx) => scope.operate(() => setUsed(tx, uses)))
  }

  /** Appends the entry of an upload to the audit log, unless the upload has one. */
  async recordUpload(id: string, entry: AuditEntry): Promise<void> {
    await this.#transactions.run((scope, tx) =>
      scope.operate(async () => {
        if ((await tx.run(SET_RECORDED, [id])) === 0) return
        await scope.raise('catalog')
        await appendAudit(tx, entry)
      }),
    )
  }

  /** A transaction in progress is undone. */
  async close(): Promise<void> {
    await this.#transactions.close()
  }

  protected override async ask<T>(question: (queries: Queries) => Promise<T>): Promise<T> {
    this.#transactions.refuseClosed()
    return await question(this.#database)
  }

  protected override async askAtOnce<T>(question: (queries: Queries) => Promise<T>): Promise<T> {
    this.#transactions.refuseClosed()
    return await this.#database.transaction(question, { snapshot: true })
  }
}
