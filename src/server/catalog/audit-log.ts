import type { Actor, AuditItem } from '../../shared/events/audit.ts'

export type { Actor }

/** A change of the catalog as the audit log holds it: what it was before and after, as plain JSON. */
export type AuditRecord = Readonly<AuditItem>

export type AuditEntry = Omit<AuditRecord, 'id'>

/** A release as the audit log names it; or a channel itself, without its releases, if `version` is null. */
export interface AuditPlace {
  readonly app: string
  readonly channel: string
  readonly version: string | null
}

/** The part of the audit log that someone sees. Omitted members match everything. */
export interface AuditScope {
  /** Words that the action begins with, ahead of its dot. */
  readonly groups?: readonly string[] | undefined
  /** Entries about these apps, each from a moment on: ISO 8601 with milliseconds, UTC. */
  readonly apps?: readonly { readonly ref: string; readonly since: string }[] | undefined
}

/** A filter of the audit log. Omitted members match everything. */
export interface AuditFilter {
  readonly scope?: AuditScope | undefined
  readonly app?: string | undefined
  readonly channel?: string | undefined
  readonly actorKind?: Actor['kind'] | undefined
  /** The word that the action begins with, ahead of its dot. */
  readonly actionGroup?: string | undefined
  /** Part of any text of the entry. Letters of ASCII in either case. */
  readonly search?: string | undefined
  /** ISO 8601 with milliseconds, UTC: the first moment that counts. */
  readonly from?: string | undefined
  /** In the same form: the first moment after that does not count. */
  readonly to?: string | undefined
}

/** Entries of the audit log by their ids: those after `above`, up to `through` and with it. */
export interface AuditSpan {
  readonly above: number
  readonly through: number
}

/** Who changes what nobody asked for. */
export const SERVER: Actor = { kind: 'server', name: 'server' }

export interface Subject {
  readonly app?: string | undefined
  readonly channel?: string
  readonly version?: string
}

/** An audit entry. `at`: ISO 8601, UTC. `before` is null for what did not exist. */
export function auditEntry(
  at: string,
  actor: Actor,
  action: string,
  { app, channel, version }: Subject,
  before: unknown,
  after: unknown,
): AuditEntry {
  return {
    at,
    actor,
    action,
    app: app ?? null,
    channel: channel ?? null,
    version: version ?? null,
    before,
    after,
  }
}

/** Adds such an entry to the audit log, as a part of the transaction that makes the change. */
export async function audit(
  tx: { appendAudit(entry: AuditEntry): Promise<void> },
  ...facts: Parameters<typeof auditEntry>
): Promise<void> {
  await tx.appendAudit(auditEntry(...facts))
}
