import type { PersonRoles } from '../../shared/access/person.ts'
import { Refusal } from '../catalog/errors.ts'
import type { Access } from '../use-cases/access.ts'
import type { Directory } from './directory.ts'
import type { PeopleSnapshot } from './snapshot.ts'
import type { StoredAccess } from './store.ts'

/** Returns an access as it is stored. Throws `unknown_app` for an app that does not exist. */
export function storedAccess({ appRef }: Directory, { server, apps }: Access): StoredAccess {
  const appRoles = [...apps].map(([appKey, role]) => ({ appKey, role }))
  const unknown = appRoles.find(({ appKey }) => appRef(appKey) === undefined)
  if (unknown === undefined) return { serverRole: server, appRoles }
  throw new Refusal({ code: 'unknown_app', app: String(unknown.appKey) })
}

/** Returns an access as the audit log shows it, apps by their `ref`. */
export function rolesInLog({ appRef }: Directory, { server, apps }: Access): PersonRoles {
  const appRoles = [...apps].flatMap(([appKey, role]) => {
    const app = appRef(appKey)
    return app === undefined ? [] : [{ app, role }]
  })
  return { serverRole: server, appRoles }
}

/** Returns whether two accesses are the same roles. */
export function isSameAccess(one: Access, other: Access): boolean {
  if (one.server !== other.server || one.apps.size !== other.apps.size) return false
  return [...one.apps].every(([appKey, role]) => other.apps.get(appKey) === role)
}

/** The IDs of accounts that are in both snapshots with other roles. */
export function accessChangedBetween(previous: PeopleSnapshot, next: PeopleSnapshot): string[] {
  return next.accounts.flatMap(({ account: { id, access } }) => {
    const before = previous.accountById.get(id)?.account.access
    return before === undefined || isSameAccess(before, access) ? [] : [id]
  })
}
