import type { ChannelPolicy } from '../../../../shared/channel.ts'
import type { Freeze } from '../../../../shared/freeze.ts'
import type { ProvingSettings } from '../../../../shared/proving.ts'
import type { AppRecord, ChannelRecord, KeyRecord } from '../../../catalog/records.ts'
import type { KeyUse, NewApp, NewChannel, NewKey } from '../../../catalog/store.ts'
import {
  type AppRow,
  type ChannelRow,
  channelParameters,
  freezeColumn,
  INSERT_APP,
  INSERT_CHANNEL,
  INSERT_KEY,
  type KeyRow,
  keyParameters,
  policyColumns,
  provingColumns,
  SELECT_APPS,
  SELECT_CHANNELS,
  SELECT_KEYS,
  SET_FREEZES,
  SET_POLICY,
  SET_PROVING,
  toApp,
  toChannel,
  toKey,
} from '../../columns/catalog-columns.ts'
import type { Queries, Transaction } from '../connection/database.ts'
import { named } from '../connection/statements.ts'
import { change, insertReturning } from '../transactions/writes.ts'
import { touchChannel } from './release-writes.ts'

const SQL = {
  revision: 'SELECT revision FROM catalog_state',
  apps: `${SELECT_APPS} ORDER BY key`,
  channels: `${SELECT_CHANNELS} ORDER BY key`,
  keys: `${SELECT_KEYS} ORDER BY id`,
  insertApp: named(INSERT_APP),
  setAppName: named('UPDATE apps SET name = @name WHERE key = @appKey'),
  setArchived: named('UPDATE apps SET archived_at = @at WHERE key = @appKey'),
  setProving: named(SET_PROVING),
  setFreezes: named(SET_FREEZES),
  insertChannel: named(INSERT_CHANNEL),
  setPolicy: named(SET_POLICY),
  insertKey: named(INSERT_KEY),
  setRevoked: named('UPDATE api_keys SET revoked_at = @at WHERE id = @keyId'),
  setUsed: `UPDATE api_keys SET last_used_at = used.at
    FROM (
      SELECT key, max(at COLLATE "C") AS at FROM unnest($1::int[], $2::text[]) AS uses (key, at)
      GROUP BY key
    ) AS used
    WHERE id = used.key AND (last_used_at IS NULL OR last_used_at < used.at)`,
  requestErasure:
    'INSERT INTO erasures (app_key, device_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
} as const

export async function catalogRevision(queries: Queries): Promise<number> {
  return (await queries.row<{ revision: number }>(SQL.revision))?.revision ?? 0
}

export async function allApps(queries: Queries): Promise<AppRecord[]> {
  return (await queries.rows<AppRow>(SQL.apps)).map(toApp)
}

export async function allChannels(queries: Queries): Promise<ChannelRecord[]> {
  return (await queries.rows<ChannelRow>(SQL.channels)).map(toChannel)
}

export async function allKeys(queries: Queries): Promise<KeyRecord[]> {
  return (await queries.rows<KeyRow>(SQL.keys)).map(toKey)
}

export async function insertApp(tx: Transaction, app: NewApp): Promise<AppRecord> {
  const what = `app "${app.ref}" (id ${app.id})`
  return toApp(await insertReturning<AppRow>(tx, SQL.insertApp, app, what))
}

export async function setAppName(tx: Queries, appKey: number, name: string): Promise<void> {
  await change(tx, SQL.setAppName, { appKey, name }, `app ${appKey}`)
}

export async function setArchived(tx: Queries, appKey: number, at: string | null): Promise<void> {
  await change(tx, SQL.setArchived, { appKey, at }, `app ${appKey}`)
}

export async function setProving(
  tx: Queries,
  key: number,
  settings: ProvingSettings,
): Promise<void> {
  await change(tx, SQL.setProving, { ...provingColumns(settings), key }, `app ${key}`)
}

export async function setFreezes(
  tx: Queries,
  key: number,
  freezes: readonly Freeze[],
): Promise<void> {
  await change(tx, SQL.setFreezes, { ...freezeColumn(freezes), key }, `app ${key}`)
}

export async function insertChannel(tx: Transaction, channel: NewChannel): Promise<ChannelRecord> {
  const what = `channel "${channel.name}" of the app`
  const parameters = channelParameters(channel)
  return toChannel(await insertReturning<ChannelRow>(tx, SQL.insertChannel, parameters, what))
}

export async function setPolicy(tx: Queries, key: number, policy: ChannelPolicy): Promise<void> {
  await touchChannel(tx, key)
  await tx.run(SQL.setPolicy, { ...policyColumns(policy), key })
}

export async function insertKey(tx: Transaction, key: NewKey): Promise<KeyRecord> {
  const what = `key "${key.prefix}"`
  return toKey(await insertReturning<KeyRow>(tx, SQL.insertKey, keyParameters(key), what))
}

export async function setRevoked(tx: Queries, keyId: number, at: string): Promise<void> {
  await change(tx, SQL.setRevoked, { keyId, at }, `key ${keyId}`)
}

/** The latest use of each key stays. */
export async function setUsed(tx: Queries, uses: readonly KeyUse[]): Promise<void> {
  await tx.run(SQL.setUsed, [uses.map(({ keyId }) => keyId), uses.map(({ at }) => at)])
}

/** Idempotent. */
export async function requestErasure(tx: Queries, appKey: number, deviceId: string): Promise<void> {
  await tx.run(SQL.requestErasure, [appKey, deviceId])
}
