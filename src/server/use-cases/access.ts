import { higherRole, includesRole, type Role } from '../../shared/access/role.ts'
import { Refusal } from '../catalog/errors.ts'

/** The roles of a principal. */
export interface Access {
  /** Counts in every app; null for none. */
  readonly server: Role | null
  /** By the key of the app. */
  readonly apps: ReadonlyMap<number, Role>
}

/** Everything: the access of those who sit at the server's computer. */
export const FULL_ACCESS: Access = { server: 'administrator', apps: new Map() }

/** Returns the access of an API key: `release_manager`, in the app that it is bound to or on the server. */
export function accessOfKey(appKey: number | null): Access {
  return appKey === null
    ? { server: 'release_manager', apps: new Map() }
    : { server: null, apps: new Map([[appKey, 'release_manager']]) }
}

/** Returns the role in an app, null for none. */
export function roleIn({ server, apps }: Access, appKey: number): Role | null {
  return higherRole(server, apps.get(appKey) ?? null)
}

/** Refuses those who do not have the role on the server. Throws `forbidden`. */
export function requireServerRole({ server }: Access, needs: Role): void {
  if (!includesRole(server, needs)) throw new Refusal({ code: 'forbidden', needs, app: null })
}
