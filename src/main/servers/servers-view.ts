import type { ListedServer, ServersView } from '../../shared/console/remote-servers.ts'
import type { ServerList } from './server-list.ts'
import type { Sessions } from './sessions.ts'

/** Returns the servers as the page lists them, with who is signed in. */
export function serversView(list: ServerList, sessions: Sessions): ServersView {
  const servers = list.servers.map(
    ({ id, name, color, address, pin }): ListedServer => ({
      ...{ id, name, color, address, pin },
      signedInAs: sessions.get(id)?.signedInAs ?? null,
    }),
  )
  return { current: list.current?.id ?? null, servers }
}
