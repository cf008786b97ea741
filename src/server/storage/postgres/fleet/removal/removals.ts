import type { CatalogRemoval, RemovalOutcome } from '../../../../catalog/store.ts'
import { appendAudit } from '../../../relational/audit-log.ts'
import type { TransactionScope } from '../../../relational/scope.ts'
import { channelDeletions } from '../../../shared/channel-deletions.ts'
import type { Changes } from '../../changes/changes.ts'
import type { PostgresDatabase } from '../../connection/database.ts'
import type { Queries, Transaction } from '../../connection/queries.ts'
import { PartTransactions } from '../../transactions/transactions.ts'
import { retried } from '../upkeep/retried.ts'
import { closeChannels, openChannels } from './closing-channels.ts'
import { deleteSome, hasMoreDevices } from './gone-devices.ts'

/** Most devices deleted in the one transaction, during which nobody else changes the catalog. */
const MOST_AT_ONCE = 20_000
/** Devices of one statement. */
const SLICE = 5_000
/** Milliseconds that a transaction waits for batches of check-ins. */
const LOCK_TIME = 2_000
/** Milliseconds that the one transaction may take. */
const WORK_TIME = 60_000

const LOCK_ALL = 'SELECT FROM people_state FOR UPDATE; SELECT FROM outbox_state FOR UPDATE'

/** Limits of a removal, for tests. */
export interface RemovalOptions {
  /** Most devices deleted in the one transaction. */
  readonly mostAtOnce?: number | undefined
  /** Devices of a slice. */
  readonly slice?: number | undefined
}

/**
 * Removes apps and channels while nodes record check-ins. A channel is closed first: nodes ignore its check-ins from their
 * next batch on. Most devices of a large fleet are then deleted slice by slice; the rest goes with the catalog in one
 * transaction, which waits for batches that are under way. A node that crashes meanwhile leaves a channel with fewer devices,
 * which opens again after a minute; the removal can be repeated, by any node.
 */
export class PostgresRemovals {
  readonly #database: PostgresDatabase
  readonly #transactions: PartTransactions
  readonly #mostAtOnce: number
  readonly #slice: number

  /** `changes`: of the same database. */
  constructor(
    database: PostgresDatabase,
    changes: Changes,
    { mostAtOnce = MOST_AT_ONCE, slice = SLICE }: RemovalOptions = {},
  ) {
    this.#database = database
    this.#transactions = new PartTransactions(database, changes, 'catalog', { workTime: WORK_TIME })
    this.#mostAtOnce = mostAtOnce
    this.#slice = slice
  }

  /** As `StoredFleet.remove`. Rejects with `StorageError`; the channels are open again then, with the remaining devices. */
  async remove(removal: CatalogRemoval): Promise<RemovalOutcome> {
    const { channelKeys } = removal
    const read = await this.#database.transaction((tx) => obstacleTo(tx, removal), {
      snapshot: true,
    })
    if (read !== undefined) return read
    try {
      await closeChannels(this.#database, channelKeys)
      while (await hasMoreDevices(this.#database, channelKeys, this.#mostAtOnce)) {
        await retried(() => this.#deleteSlice(channelKeys))
        await closeChannels(this.#database, channelKeys)
      }
      return await retried(() => this.#commit(removal))
    } finally {
      // Otherwise, they open by themselves.
      await openChannels(this.#database, channelKeys).catch(() => {})
    }
  }

  /** Undoes the transaction of a removal that is under way. Idempotent. */
  async close(): Promise<void> {
    await this.#transactions.close()
  }

  #deleteSlice(channelKeys: readonly number[]): Promise<number> {
    return this.#database.transaction((tx) => deleteSome(tx, channelKeys, this.#slice), {
      lockTime: LOCK_TIME,
    })
  }

  #commit(removal: CatalogRemoval): Promise<RemovalOutcome> {
    return this.#transactions.run(
      (scope, tx) => scope.operate(() => removeIn(scope, tx, removal)),
      { within: LOCK_TIME },
    )
  }
}

async function removeIn(
  scope: TransactionScope,
  tx: Transaction,
  removal: CatalogRemoval,
): Promise<RemovalOutcome> {
  const { appKey, channelKeys, wholeApp, entry } = removal
  if (wholeApp) await tx.run(LOCK_ALL)
  const obstacle = await obstacleTo(tx, removal)
  if (obstacle !== undefined) return obstacle
  await deleteChannels(tx, channelKeys)
  if (wholeApp) {
    const { roles, webhooks } = await deleteApp(tx, appKey)
    if (roles > 0) await scope.raise('people')
    if (webhooks > 0) await scope.raise('outbox')
  }
  await appendAudit(scope.of('catalog'), entry)
  return 'removed'
}

const OF_CHANNELS = 'WHERE channel_key = ANY($1)'

const SQL = {
  archived: 'SELECT archived_at IS NOT NULL AS archived FROM apps WHERE key = $1',
  channels: 'SELECT key FROM channels WHERE app_key = $1',
  served: `SELECT 1 FROM releases ${OF_CHANNELS} AND status = 'published'
    AND EXISTS (SELECT 1 FROM artifacts WHERE release_id = releases.id) LIMIT 1`,
  // Waits for batches that count something for them. Later ones find that they are gone.
  lockProfiles: `SELECT id FROM profiles ${OF_CHANNELS} ORDER BY id FOR UPDATE`,
  lockChannels: 'SELECT key FROM channels WHERE key = ANY($1) ORDER BY key FOR UPDATE',
  open: `DELETE FROM closing_channels ${OF_CHANNELS}`,
  releases: `SELECT id FROM releases ${OF_CHANNELS}`,
} as const

const DELETE = channelDeletions('= ANY($1)')

/** Returns why a removal is refused; undefined if it is not. */
async function obstacleTo(
  queries: Queries,
  { appKey, channelKeys, wholeApp }: CatalogRemoval,
): Promise<RemovalOutcome | undefined> {
  const app = await queries.row<{ archived: boolean }>(SQL.archived, [appKey])
  if (app === undefined) return 'unknown'
  const channels = await queries.rows<{ key: number }>(SQL.channels, [appKey])
  const stored = new Set(channels.map(({ key }) => key))
  if (!channelKeys.every((key) => stored.has(key))) return wholeApp ? 'outdated' : 'unknown'
  if (wholeApp && stored.size !== channelKeys.length) return 'outdated'
  if (!wholeApp && stored.size === channelKeys.length) return 'last_channel'
  if (app.archived) return undefined
  return (await queries.row(SQL.served, [channelKeys])) === undefined ? undefined : 'served'
}

/**
 * Deletes channels with all their data. Nothing of them is stored by a batch that began before: it holds a profile, or a
 * device, and is waited for.
 */
async function deleteChannels(tx: Transaction, keys: readonly number[]): Promise<void> {
  await tx.rows(SQL.lockProfiles, [keys])
  await tx.rows(SQL.lockChannels, [keys])
  // Those that were added between the two.
  await tx.rows(SQL.lockProfiles, [keys])
  while (await hasMoreDevices(tx, keys, 0)) await deleteSome(tx, keys, SLICE)
  for (const sql of DELETE.fleet) await tx.run(sql, [keys])
  await tx.run(SQL.open, [keys])
  const releases = await tx.rows<{ id: string }>(SQL.releases, [keys])
  for (const sql of DELETE.catalog) await tx.run(sql, [keys])
  const ids = releases.map(({ id }) => id)
  for (const sql of DELETE.ofReleases) await tx.run(sql, [ids])
}

/**
 * Deletes what an app without channels has, and the app. The transaction has locked the catalog, the people and the outbox.
 * Returns how many roles and webhooks went.
 */
async function deleteApp(
  tx: Transaction,
  appKey: number,
): Promise<{ readonly roles: number; readonly webhooks: number }> {
  await tx.run('DELETE FROM api_keys WHERE app_key = $1', [appKey])
  const webhooks = await tx.run('DELETE FROM webhooks WHERE app_key = $1', [appKey])
  const roles = await tx.run('DELETE FROM account_app_roles WHERE app_key = $1', [appKey])
  await tx.run('DELETE FROM apps WHERE key = $1', [appKey])
  return { roles, webhooks }
}
