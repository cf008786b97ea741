import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from 'react-router/dom'
import { queryClient } from './bridge/query-client.ts'
import { ServerStateProvider } from './bridge/server-state.tsx'
import { ThemePreference } from './layout/theme-preference.tsx'
import { TimeZonePreference } from './layout/time-zone-preference.tsx'
import { router } from './routes.tsx'
import { theme } from './theme.ts'

/** The console's page. */
export function App() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <ServerStateProvider>
          <ThemePreference />
          <TimeZonePreference />
          <Notifications position="bottom-right" limit={3} />
          <RouterProvider router={router} />
        </ServerStateProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}
