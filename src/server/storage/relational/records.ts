import type { ProvingSettings } from '../../../shared/files/proving.ts'
import type { ChannelPolicy } from '../../../shared/releases/channel.ts'
import type { AppRecord, ChannelRecord, KeyRecord } from '../../catalog/records.ts'
import type {
  CatalogReads,
  CatalogWrites,
  KeyUse,
  NewApp,
  NewChannel,
  NewKey,
} from '../../catalog/store.ts'
import { Columns, type RowOf } from './columns/columns.ts'
import { touchChannel } from './releases.ts'
import { perDialect, type Questions, type Statements } from './statements.ts'
import { change, insertReturning } from './writes.ts'

type StoredProving = Omit<ProvingSettings, 'hosts'> & {
  readonly artifactHosts: ProvingSettings['hosts']
}

type StoredApp = Omit<AppRecord, 'proving'> & StoredProving

/** Each member of the policy in a column. */
type StoredChannel = Omit<ChannelRecord, 'policy'> & ChannelPolicy

const NEW_APP = new Columns<NewApp>({
  id: 'plain',
  ref: 'plain',
  name: 'plain',
  createdAt: 'plain',
})

const PROVING = new Columns<StoredProving>({
  minisignKey: 'plain',
  artifactHosts: 'json',
  documentKeys: 'json',
})

const FREEZES = new Columns<Pick<AppRecord, 'freezes'>>({ freezes: 'json' })

const APP = new Columns<StoredApp>({
  key: 'plain',
  ...NEW_APP.forms,
  archivedAt: 'plain',
  ...PROVING.forms,
  ...FREEZES.forms,
})

const POLICY = new Columns<ChannelPolicy>({
  updateMode: 'plain',
  minimumSupportedVersion: 'plain',
  rollback: 'plain',
  requireApproval: 'flag',
  proving: 'plain',
  uncheckedSignatures: 'json',
  earlyAccess: 'json',
  manualChecks: 'flag',
  countNewDevices: 'flag',
  preflight: 'plain',
  acceptedFindings: 'json',
})

const NEW_CHANNEL = new Columns<Omit<StoredChannel, 'key'>>({
  appKey: 'plain',
  name: 'plain',
  ...POLICY.forms,
  createdAt: 'plain',
  revision: 'plain',
})

const CHANNEL = new Columns<StoredChannel>({ key: 'plain', ...NEW_CHANNEL.forms })

const NEW_KEY = new Columns<NewKey>({
  prefix: 'plain',
  hash: 'plain',
  name: 'plain',
  scopes: 'json',
  appKey: 'plain',
  bypassApproval: 'flag',
  createdAt: 'plain',
})

const KEY = new Columns<KeyRecord>({
  id: 'plain',
  ...NEW_KEY.forms,
  lastUsedAt: 'plain',
  revokedAt: 'plain',
})

const SQL = {
  revision: 'SELECT revision FROM catalog_state',
  apps: `SELECT ${APP.selected()} FROM apps ORDER BY key`,
  channels: `SELECT ${CHANNEL.selected()} FROM channels ORDER BY key`,
  keys: `SELECT ${KEY.selected()} FROM api_keys ORDER BY id`,
  insertApp: `${NEW_APP.insertInto('apps')} RETURNING ${APP.selected()}`,
  setProving: `UPDATE apps SET ${PROVING.assigned()} WHERE key = @key`,
  setFreezes: `UPDATE apps SET ${FREEZES.assigned()} WHERE key = @key`,
  insertChannel: `${NEW_CHANNEL.insertInto('channels')} RETURNING ${CHANNEL.selected()}`,
  setPolicy: `UPDATE channels SET ${POLICY.assigned()} WHERE key = @key`,
  insertKey: `${NEW_KEY.insertInto('api_keys')} RETURNING ${KEY.selected()}`,
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
      return (await questions.rows<RowOf<StoredApp>>(SQL.apps)).map(toApp)
    },
    async channels() {
      return (await questions.rows<RowOf<StoredChannel>>(SQL.channels)).map(toChannel)
    },
    async keys() {
      const rows = await questions.rows<RowOf<KeyRecord>>(SQL.keys)
      return rows.map((row) => KEY.read(row))
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
      return toApp(await insertReturning<RowOf<StoredApp>>(tx, SQL.insertApp, app, what))
    },
    setAppName: (appKey, name) => change(tx, SQL.setAppName, { appKey, name }, `app ${appKey}`),
    setArchived: (appKey, at) => change(tx, SQL.setArchived, { appKey, at }, `app ${appKey}`),
    setProving(key, { hosts: artifactHosts, ...settings }) {
      const row = PROVING.write({ ...settings, artifactHosts })
      return change(tx, SQL.setProving, { ...row, key }, `app ${key}`)
    },
    setFreezes: (key, freezes) =>
      change(tx, SQL.setFreezes, { ...FREEZES.write({ freezes }), key }, `app ${key}`),
    async insertChannel({ policy, ...channel }: NewChannel) {
      const what = `channel "${channel.name}" of the app`
      const row = NEW_CHANNEL.write({ ...channel, ...policy, revision: 1 })
      const { insertChannel } = SQL
      return toChannel(await insertReturning<RowOf<StoredChannel>>(tx, insertChannel, row, what))
    },
    async setPolicy(key, policy) {
      await touchChannel(tx, key)
      await tx.run(SQL.setPolicy, { ...POLICY.write(policy), key })
    },
    async insertKey(key) {
      const what = `key "${key.prefix}"`
      const row = NEW_KEY.write(key)
      return KEY.read(await insertReturning<RowOf<KeyRecord>>(tx, SQL.insertKey, row, what))
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

function toApp(row: RowOf<StoredApp>): AppRecord {
  const { minisignKey, artifactHosts: hosts, documentKeys, ...app } = APP.read(row)
  return { ...app, proving: { minisignKey, hosts, documentKeys } }
}

function toChannel(row: RowOf<StoredChannel>): ChannelRecord {
  const { key, appKey, name, createdAt, revision, ...policy } = CHANNEL.read(row)
  return { key, appKey, name, policy, createdAt, revision }
}
