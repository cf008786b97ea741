import type { CatalogRemoval, RemovalOutcome } from '../../../../catalog/store.ts'
import { channelDeletions } from '../../../shared/channel-deletions.ts'
import type { Queries, Transaction } from '../../connection/database.ts'
import { deleteSome, hasMoreDevices } from './gone-devices.ts'

/** Devices of one statement. */
const SLICE = 5_000

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
export async function obstacleTo(
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
export async function deleteChannels(tx: Transaction, keys: readonly number[]): Promise<void> {
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
export async function deleteApp(
  tx: Transaction,
  appKey: number,
): Promise<{ readonly roles: number; readonly webhooks: number }> {
  await tx.run('DELETE FROM api_keys WHERE app_key = $1', [appKey])
  const webhooks = await tx.run('DELETE FROM webhooks WHERE app_key = $1', [appKey])
  const roles = await tx.run('DELETE FROM account_app_roles WHERE app_key = $1', [appKey])
  await tx.run('DELETE FROM apps WHERE key = $1', [appKey])
  return { roles, webhooks }
}
