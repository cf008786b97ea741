import type { Actor, AuditEntry } from './audit-log.ts'

/** Who changes what nobody asked for. */
export const SERVER: Actor = { kind: 'server', name: 'server' }

/** What a change was about: each part as people name it. */
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
