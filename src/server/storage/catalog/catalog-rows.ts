import type { ChannelPolicy } from '../../../shared/channel.ts'
import type { Actor, AuditRecord } from '../../catalog/audit-log.ts'
import type { AppRecord, ChannelRecord, KeyRecord } from '../../catalog/store.ts'

/** The rows of the catalog's tables, as the statements in the files beside this one read them. */
export interface AppRow {
  readonly key: number
  readonly id: string
  readonly ref: string
  readonly name: string
  readonly created_at: string
  readonly archived_at: string | null
}

export interface ChannelRow {
  readonly key: number
  readonly app_key: number
  readonly name: string
  readonly update_mode: ChannelPolicy['updateMode']
  readonly minimum_supported_version: string
  readonly rollback: ChannelPolicy['rollback']
  readonly created_at: string
  readonly revision: number
}

export interface KeyRow {
  readonly id: number
  readonly prefix: string
  readonly hash: string
  readonly name: string
  readonly scopes: string
  readonly app_key: number | null
  readonly created_at: string
  readonly last_used_at: string | null
  readonly revoked_at: string | null
}

export interface AuditRow {
  readonly id: number
  readonly at: string
  readonly actor_kind: Actor['kind']
  readonly actor_name: string
  readonly action: string
  readonly app: string | null
  readonly channel: string | null
  readonly version: string | null
  readonly before: string
  readonly after: string
}

export function toApp(row: AppRow): AppRecord {
  const { key, id, ref, name, created_at: createdAt, archived_at: archivedAt } = row
  return { key, id, ref, name, createdAt, archivedAt }
}

export function toChannel(row: ChannelRow): ChannelRecord {
  return {
    key: row.key,
    appKey: row.app_key,
    name: row.name,
    policy: {
      updateMode: row.update_mode,
      minimumSupportedVersion: row.minimum_supported_version,
      rollback: row.rollback,
    },
    createdAt: row.created_at,
    revision: row.revision,
  }
}

export function toKey(row: KeyRow): KeyRecord {
  return {
    id: row.id,
    prefix: row.prefix,
    hash: row.hash,
    name: row.name,
    scopes: JSON.parse(row.scopes),
    appKey: row.app_key,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  }
}

export function toAudit(row: AuditRow): AuditRecord {
  return {
    id: row.id,
    at: row.at,
    actor: { kind: row.actor_kind, name: row.actor_name },
    action: row.action,
    app: row.app,
    channel: row.channel,
    version: row.version,
    before: JSON.parse(row.before),
    after: JSON.parse(row.after),
  }
}
