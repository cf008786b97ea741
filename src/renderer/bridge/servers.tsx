import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import type { ListedServer, ServersView } from '../../shared/console/desktop/remote-servers.ts'
import { isDesktop, shellClient } from './clients.ts'

const NONE: ServersView = { current: null, servers: [] }

const Context = createContext<ServersView>(NONE)

/** The servers that the desktop app knows, beside its own; none in a browser. */
export function useServers(): ServersView {
  return useContext(Context)
}

/** The server in use where it is not the desktop app's own; undefined for that one, and in a browser. */
export function useRemoteServer(): ListedServer | undefined {
  const { current, servers } = useServers()
  return servers.find(({ id }) => id === current)
}

/** Whether the server in use is the desktop app's own, which is started, configured and restored here. */
export function useIsOwnServer(): boolean {
  return useRemoteServer() === undefined && isDesktop()
}

/** Follows which servers there are. Nothing is shown before it is known which one is in use. */
export function ServersProvider({ children }: { readonly children: ReactNode }) {
  const [view, setView] = useState<ServersView | undefined>(() => (isDesktop() ? undefined : NONE))
  useEffect(() => {
    if (!isDesktop()) return
    const subscription = shellClient.shell.servers.view.subscribe(undefined, { onData: setView })
    return () => subscription.unsubscribe()
  }, [])
  return view && <Context value={view}>{children}</Context>
}
