import type { PageAccess } from '../../shared/console/session.ts'
import type { Role } from '../../shared/role.ts'

/** A role in an app, while it is chosen. */
export interface AppRoleDraft {
  /** Tells rows apart. */
  readonly key: number
  /** Null until it is chosen. */
  readonly app: string | null
  readonly role: Role
}

/** The roles of an account, while they are chosen. */
export interface AccessDraft {
  readonly server: Role | null
  readonly apps: readonly AppRoleDraft[]
}

/** Returns a draft of roles. */
export function draftOf({ server, apps }: PageAccess): AccessDraft {
  return { server, apps: apps.map((each, key) => ({ key, ...each })) }
}

/** Returns the roles of a draft; undefined while an app is missing. */
export function accessOfDraft({ server, apps }: AccessDraft): PageAccess | undefined {
  const chosen = apps.flatMap(({ app, role }) => (app === null ? [] : [{ app, role }]))
  return chosen.length === apps.length ? { server, apps: chosen } : undefined
}

/** Returns the draft with one more row. */
export function withAppRole({ server, apps }: AccessDraft): AccessDraft {
  const key = Math.max(0, ...apps.map((row) => row.key + 1))
  return { server, apps: [...apps, { key, app: null, role: 'viewer' }] }
}
