import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import type { ServerReach } from '../../shared/console/shell.ts'
import { shellClient } from './clients.ts'
import { useFollowChanges } from './follow-changes.ts'

const Context = createContext<ServerReach>({ state: 'starting' })

/** The server process as the main process sees it now. */
export function useServerState(): ServerReach {
  return useContext(Context)
}

/** Follows the state of the server process, and the changes that it reports while it runs. */
export function ServerStateProvider({ children }: { readonly children: ReactNode }) {
  const [state, setState] = useState<ServerReach>({ state: 'starting' })
  useEffect(() => {
    const subscription = shellClient.shell.serverState.subscribe(undefined, { onData: setState })
    return () => subscription.unsubscribe()
  }, [])
  useFollowChanges(state.state === 'running')
  return <Context value={state}>{children}</Context>
}
