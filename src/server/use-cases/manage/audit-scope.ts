import { includesRole } from '../../../shared/role.ts'
import type { AuditScope } from '../../catalog/audit-log.ts'
import { Refusal } from '../../catalog/errors.ts'
import type { Snapshot } from '../../catalog/snapshot.ts'
import { type Principal, visibleApps } from '../principal.ts'

/** What entries are about that every role may read: people are not in it, and nothing that is added later. */
const FOR_ALL_ROLES = [
  'release',
  'artifact',
  'channel',
  'app',
  'key',
  'device',
  'database',
  'change_request',
  'file',
  'draft',
] as const

/**
 * Returns which entries of the audit log the principal sees. An administrator of the server sees all of them, every
 * other role on the server all but those about people and their accounts. Without a role on the server they are
 * the entries about apps that the principal sees, from the creation of the app on: an app that was removed may
 * have had the same ref. Throws `forbidden` for those who see no app at all.
 */
export function auditScope(snapshot: Snapshot, principal: Principal): AuditScope {
  const { server } = principal.access
  if (includesRole(server, 'administrator')) return {}
  if (server !== null) return { groups: FOR_ALL_ROLES }
  const apps = visibleApps(snapshot, principal)
  if (apps.length === 0) throw new Refusal({ code: 'forbidden', needs: 'viewer', app: null })
  return {
    groups: FOR_ALL_ROLES,
    apps: apps.map(({ record: { ref, createdAt } }) => ({ ref, since: createdAt })),
  }
}
