import { MantineProvider, useMantineColorScheme } from '@mantine/core'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { RouterProvider } from 'react-router/dom'
import { shell } from './bridge/clients.ts'
import { queryClient } from './bridge/query-client.ts'
import { ServerStateProvider } from './bridge/server-state.tsx'
import { ServersProvider } from './bridge/servers.tsx'
import { setTimeZone } from './components/text/time.ts'
import { router } from './routes.tsx'
import { ConfirmIdentity } from './sign-in/confirm-identity.tsx'
import { SessionGate } from './sign-in/session-gate.tsx'
import { theme } from './theme.ts'

/** The console's page. */
export function App() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <AppliedPreferences />
        <SessionGate>
          <ServersProvider>
            <ServerStateProvider>
              <RouterProvider router={router} />
              <ConfirmIdentity />
            </ServerStateProvider>
          </ServersProvider>
        </SessionGate>
      </QueryClientProvider>
    </MantineProvider>
  )
}

/** Applies the theme and the time zone that the person chose in the preferences; draws nothing. */
function AppliedPreferences() {
  const { data } = useQuery(shell.shell.preferences.queryOptions())
  const { setColorScheme } = useMantineColorScheme()
  const { theme: chosen, timeZone } = data ?? {}
  useEffect(() => {
    if (chosen !== undefined) setColorScheme(chosen === 'system' ? 'auto' : chosen)
  }, [chosen, setColorScheme])
  useEffect(() => {
    if (timeZone !== undefined) setTimeZone(timeZone)
  }, [timeZone])
  return null
}
