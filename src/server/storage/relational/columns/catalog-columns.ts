import type { ChannelPolicy } from '../../../../shared/channel.ts'
import type { Freeze } from '../../../../shared/freeze.ts'
import type { ProvingSettings } from '../../../../shared/proving.ts'
import type { AppRecord, ChannelRecord, KeyRecord } from '../../../catalog/records.ts'
import type { NewApp, NewChannel, NewKey } from '../../../catalog/store.ts'
import { assigned, type Columns, insertInto, selected } from './columns.ts'

const NEW_APP = {
  id: 'id',
  ref: 'ref',
  name: 'name',
  createdAt: 'created_at',
} as const satisfies Columns<NewApp>

const PROVING = {
  minisignKey: 'minisign_key',
  hosts: 'artifact_hosts',
  documentKeys: 'document_keys',
} as const satisfies Columns<ProvingSettings>

/** Proving settings as their columns hold them: the lists as JSON. */
export type ProvingColumns = Pick<ProvingSettings, 'minisignKey'> & {
  readonly hosts: string
  readonly documentKeys: string
}

/** An app as its table holds it: the freezes as JSON. */
export type AppRow = Omit<AppRecord, 'proving' | 'freezes'> &
  ProvingColumns & { readonly freezes: string }

const APP = {
  key: 'key',
  ...NEW_APP,
  archivedAt: 'archived_at',
  ...PROVING,
  freezes: 'freezes',
} as const satisfies Columns<AppRow>

export const SELECT_APPS = `SELECT ${selected(APP)} FROM apps`
export const SET_PROVING = `UPDATE apps SET ${assigned(PROVING)} WHERE key = @key`
export const SET_FREEZES = 'UPDATE apps SET freezes = @freezes WHERE key = @key'
export const INSERT_APP = `${insertInto('apps', NEW_APP)} RETURNING ${selected(APP)}`

/** Returns the app that a row holds. */
export function toApp({ minisignKey, hosts, documentKeys, freezes, ...app }: AppRow): AppRecord {
  const lists = { hosts: JSON.parse(hosts), documentKeys: JSON.parse(documentKeys) }
  const proving = { minisignKey, ...lists }
  return { ...app, proving, freezes: JSON.parse(freezes) }
}

/** Returns freezes as `SET_FREEZES` takes them. */
export function freezeColumn(freezes: readonly Freeze[]): { readonly freezes: string } {
  return { freezes: JSON.stringify(freezes) }
}

/** Returns proving settings as `SET_PROVING` takes them. */
export function provingColumns({
  minisignKey,
  hosts,
  documentKeys,
}: ProvingSettings): ProvingColumns {
  const lists = { hosts: JSON.stringify(hosts), documentKeys: JSON.stringify(documentKeys) }
  return { minisignKey, ...lists }
}

const POLICY = {
  updateMode: 'update_mode',
  minimumSupportedVersion: 'minimum_supported_version',
  rollback: 'rollback',
  requireApproval: 'require_approval',
  proving: 'proving',
  uncheckedSignatures: 'unchecked_signatures',
  earlyAccess: 'early_access',
  manualChecks: 'manual_checks',
  countNewDevices: 'count_new_devices',
} as const satisfies Columns<ChannelPolicy>

/** What a column of a policy holds in another form: flags as numbers, lists as JSON. */
interface EncodedPolicy {
  readonly requireApproval: 0 | 1
  readonly uncheckedSignatures: string
  readonly earlyAccess: string
  readonly manualChecks: 0 | 1
  readonly countNewDevices: 0 | 1
}

/** A policy as its columns hold it. */
export type PolicyColumns = Omit<ChannelPolicy, keyof EncodedPolicy> & EncodedPolicy

/** A channel as its table holds it: each member of the policy in a column. */
export type ChannelRow = Omit<ChannelRecord, 'policy'> & PolicyColumns

export type ChannelParameters = Omit<ChannelRow, 'key'>

const NEW_CHANNEL = {
  appKey: 'app_key',
  name: 'name',
  ...POLICY,
  createdAt: 'created_at',
  revision: 'revision',
} as const satisfies Columns<ChannelParameters>

const CHANNEL = { key: 'key', ...NEW_CHANNEL } as const satisfies Columns<ChannelRow>

export const SELECT_CHANNELS = `SELECT ${selected(CHANNEL)} FROM channels`
export const INSERT_CHANNEL = `${insertInto('channels', NEW_CHANNEL)} RETURNING ${selected(CHANNEL)}`
export const SET_POLICY = `UPDATE channels SET ${assigned(POLICY)} WHERE key = @key`

/** Returns the channel that a row holds. */
export function toChannel(row: ChannelRow): ChannelRecord {
  const { key, appKey, name, createdAt, revision, ...columns } = row
  const {
    requireApproval,
    uncheckedSignatures,
    earlyAccess,
    manualChecks,
    countNewDevices,
    ...rest
  } = columns
  const policy = {
    ...rest,
    requireApproval: requireApproval === 1,
    uncheckedSignatures: JSON.parse(uncheckedSignatures),
    earlyAccess: JSON.parse(earlyAccess),
    manualChecks: manualChecks === 1,
    countNewDevices: countNewDevices === 1,
  }
  return { key, appKey, name, policy, createdAt, revision }
}

/** Returns what `INSERT_CHANNEL` takes for a new channel: its revision is 1. */
export function channelParameters({ policy, ...channel }: NewChannel): ChannelParameters {
  return { ...channel, ...policyColumns(policy), revision: 1 }
}

/** Returns the members of a policy as `SET_POLICY` takes them. */
export function policyColumns({
  requireApproval,
  uncheckedSignatures,
  earlyAccess,
  manualChecks,
  countNewDevices,
  ...policy
}: ChannelPolicy): PolicyColumns {
  return {
    ...policy,
    requireApproval: requireApproval ? 1 : 0,
    uncheckedSignatures: JSON.stringify(uncheckedSignatures),
    earlyAccess: JSON.stringify(earlyAccess),
    manualChecks: manualChecks ? 1 : 0,
    countNewDevices: countNewDevices ? 1 : 0,
  }
}

/** What a column of a key holds in another form: the scopes as JSON, a flag as a number. */
interface EncodedKey {
  readonly scopes: string
  readonly bypassApproval: 0 | 1
}

/** A key as its table holds it. */
export type KeyRow = Omit<KeyRecord, keyof EncodedKey> & EncodedKey

export type KeyParameters = Omit<NewKey, keyof EncodedKey> & EncodedKey

const NEW_KEY = {
  prefix: 'prefix',
  hash: 'hash',
  name: 'name',
  scopes: 'scopes',
  appKey: 'app_key',
  bypassApproval: 'bypass_approval',
  createdAt: 'created_at',
} as const satisfies Columns<KeyParameters>

const KEY = {
  id: 'id',
  ...NEW_KEY,
  lastUsedAt: 'last_used_at',
  revokedAt: 'revoked_at',
} as const satisfies Columns<KeyRow>

export const SELECT_KEYS = `SELECT ${selected(KEY)} FROM api_keys`
export const INSERT_KEY = `${insertInto('api_keys', NEW_KEY)} RETURNING ${selected(KEY)}`

/** Returns the key that a row holds. */
export function toKey(row: KeyRow): KeyRecord {
  return { ...row, scopes: JSON.parse(row.scopes), bypassApproval: row.bypassApproval === 1 }
}

/** Returns what `INSERT_KEY` takes for a new key. */
export function keyParameters(key: NewKey): KeyParameters {
  const bypassApproval = key.bypassApproval ? 1 : 0
  return { ...key, scopes: JSON.stringify(key.scopes), bypassApproval }
}
