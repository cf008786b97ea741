import type { CatalogReads, CatalogWrites, KeyUse } from '../../catalog/store.ts'
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
} from './columns/catalog-columns.ts'
import { touchChannel } from './releases.ts'
import { perDialect, type Questions, type Statements } from './statements.ts'
import { change, insertReturning } from './writes.ts'

const SQL = {
  revision: 'SELECT revision FROM catalog_state',
  apps: `${SELECT_APPS} ORDER BY key`,
  channels: `${SELECT_CHANNELS} ORDER BY key`,
  keys: `${SELECT_KEYS} ORDER BY id`,
  setAppName: 'UPDATE apps SET name = @name WHERE key = @appKey',
  setArchived: 'UPDATE apps SET archived_at = @at WHERE key = @appKey',
  setRevoked: 'UPDATE api_keys SET revoked_at = @at WHERE id = @keyId',
  requestErasure:
    'INSERT INTO erasures (app_key, device_id) VALUES (@appKey, @deviceId) ON CONFLICT DO NOTHING',
} as const

const SET_USED = perDialect(
  ({ rowsOf, bytewise }) => `UPDATE api_keys SET last_used_at = used.at
    FROM (
      SELECT "keyId" AS key, max(${bytewise('at')}) AS at
      FROM ${rowsOf('uses', { keyId: 'int', at: 'text' })} GROUP BY 1
    ) AS used
    WHERE id = used.key AND (last_used_at IS NULL OR last_used_at < used.at)`,
)

/** The questions to the apps, the channels and the keys. */
export function recordReads(
  questions: Questions,
): Pick<CatalogReads, 'revision' | 'apps' | 'channels' | 'keys'> {
  return {
    async revision() {
      return (await questions.row<{ revision: number }>(SQL.revision))?.revision ?? 0
    },
    async apps() {
      return (await questions.rows<AppRow>(SQL.apps)).map(toApp)
    },
    async channels() {
      return (await questions.rows<ChannelRow>(SQL.channels)).map(toChannel)
    },
    async keys() {
      return (await questions.rows<KeyRow>(SQL.keys)).map(toKey)
    },
  }
}

type RecordWrites = Pick<
  CatalogWrites,
  | 'insertApp'
  | 'setAppName'
  | 'setArchived'
  | 'setProving'
  | 'setFreezes'
  | 'insertChannel'
  | 'setPolicy'
  | 'insertKey'
  | 'setRevoked'
  | 'requestErasure'
>

/** Their writes. */
export function recordWrites(tx: Statements): RecordWrites {
  return {
    async insertApp(app) {
      const what = `app "${app.ref}" (id ${app.id})`
      return toApp(await insertReturning<AppRow>(tx, INSERT_APP, app, what))
    },
    setAppName: (appKey, name) => change(tx, SQL.setAppName, { appKey, name }, `app ${appKey}`),
    setArchived: (appKey, at) => change(tx, SQL.setArchived, { appKey, at }, `app ${appKey}`),
    setProving: (key, settings) =>
      change(tx, SET_PROVING, { ...provingColumns(settings), key }, `app ${key}`),
    setFreezes: (key, freezes) =>
      change(tx, SET_FREEZES, { ...freezeColumn(freezes), key }, `app ${key}`),
    async insertChannel(channel) {
      const what = `channel "${channel.name}" of the app`
      const parameters = channelParameters(channel)
      return toChannel(await insertReturning<ChannelRow>(tx, INSERT_CHANNEL, parameters, what))
    },
    async setPolicy(key, policy) {
      await touchChannel(tx, key)
      await tx.run(SET_POLICY, { ...policyColumns(policy), key })
    },
    async insertKey(key) {
      const what = `key "${key.prefix}"`
      return toKey(await insertReturning<KeyRow>(tx, INSERT_KEY, keyParameters(key), what))
    },
    setRevoked: (keyId, at) => change(tx, SQL.setRevoked, { keyId, at }, `key ${keyId}`),
    async requestErasure(appKey, deviceId) {
      await tx.run(SQL.requestErasure, { appKey, deviceId })
    },
  }
}

/** Notes when keys were used. The latest use of each stays. */
export async function setKeysUsed(tx: Statements, uses: readonly KeyUse[]): Promise<void> {
  await tx.run(SET_USED(tx), { uses })
}
