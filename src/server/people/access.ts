import type { PersonRoles } from '../../shared/person.ts'
import { Refusal } from '../catalog/errors.ts'
import type { Access } from '../updates/access.ts'
import type { Directory } from './directory.ts'
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
