import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { higherRole, includesRole, type Role } from '../../shared/access/role.ts'
import type { PageAccess } from '../../shared/console/people/people.ts'
import { server } from './clients.ts'
import { queryClient } from './query-client.ts'
import { useIsOwnServer } from './servers.tsx'

/** What the person at the page may do. What the server would refuse is not shown. */
interface Permissions {
  /** Whether they have the role in an app; on the server without one. */
  may(role: Role, app?: string): boolean
  /** Whether they have the role in any app, or on the server. */
  mayInSomeApp(role: Role): boolean
}

const EVERYTHING: PageAccess = { server: 'administrator', apps: [] }
const NOTHING: PageAccess = { server: null, apps: [] }

/**
 * Returns what the person at the page may do, as the server answered last. Until it has answered that is everything on
 * the desktop app's own server, whose settings must work while it is down, and nothing on any other.
 */
export function useAccess(): Permissions {
  const { data } = useQuery(server.session.me.queryOptions(), queryClient)
  const isOwn = useIsOwnServer()
  const access = data?.access ?? (isOwn ? EVERYTHING : NOTHING)
  return useMemo(() => permissionsOf(access), [access])
}

/** Returns what those roles allow. */
export function permissionsOf({ server: onServer, apps }: PageAccess): Permissions {
  const roles = new Map(apps.map(({ app, role }) => [app, role]))
  return {
    may: (role, app) => {
      const inApp = app === undefined ? null : (roles.get(app) ?? null)
      return includesRole(higherRole(onServer, inApp), role)
    },
    mayInSomeApp: (role) =>
      includesRole(onServer, role) || apps.some((each) => includesRole(each.role, role)),
  }
}
