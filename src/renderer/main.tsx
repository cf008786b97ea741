import '@fontsource-variable/inter/wght.css'
import './theme/mantine.css'
import '@mantine/notifications/styles.css'
import '@mantine/spotlight/styles.css'
import './theme/global.css'
import './theme/small-screens.css'
import { MantineProvider, useMantineColorScheme } from '@mantine/core'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { lazy, StrictMode, Suspense, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { config } from 'zod'
import { SessionGate } from './access/sign-in/session-gate.tsx'
import { wasSignedIn } from './bridge/browser/session-end.ts'
import { isDesktop, server, shell } from './bridge/clients.ts'
import { queryClient } from './bridge/query-client.ts'
import { keepFocus } from './components/dialog/keep-focus.ts'
import { setTimeZone } from './components/text/time.ts'
import { theme } from './theme/theme.ts'

const ADDRESS = /^#\/wall\/([\w-]{10,100})$/

/** The token of the wall view's link that the page was opened with, if any. It stands behind the #, which no server logs. */
function wallToken(): string | undefined {
  return ADDRESS.exec(location.hash)?.[1]
}

// The content security policy forbids code made from text, which zod would make for speed.
config({ jitless: true })
keepFocus()
/** The failure after which the page was loaded again last; it names the file. */
const RELOADED = 'reloaded'

refuseStrayFiles()
reloadForNewPage()

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
)

/** Keeps the page when files are dropped beside a drop zone: a browser would open them in its place. */
function refuseStrayFiles(): void {
  for (const type of ['dragover', 'drop'] as const) {
    window.addEventListener(type, (event) => {
      const { dataTransfer } = event
      if (event.defaultPrevented || dataTransfer?.types.includes('Files') !== true) return
      event.preventDefault()
      dataTransfer.dropEffect = 'none'
    })
  }
}

/**
 * Loads the page again when a screen cannot be loaded: the server has been updated since, and has other files. Once for a
 * file, so that a server that has lost them does not keep the page loading; and only from a server that answers, or the browser would
 * show a page of its own.
 */
function reloadForNewPage(): void {
  window.addEventListener('vite:preloadError', async ({ payload: { message } }) => {
    if (sessionStorage.getItem(RELOADED) === message) return
    const answer = await fetch(location.pathname, { method: 'HEAD' }).catch(() => null)
    if (answer?.ok !== true) return
    sessionStorage.setItem(RELOADED, message)
    location.reload()
  })
}

/** What only those load who are signed in: the frame and the screens. */
const loadScreens = async () => ({ default: (await import('./routes.tsx')).Screens })
// Who probably is need not wait for the answer, nor for the screen that asks.
if (isDesktop() || wasSignedIn()) {
  void loadScreens().catch(() => {})
  if (/^(#\/)?$/.test(location.hash)) {
    void queryClient.prefetchQuery(server.overview.get.queryOptions())
    void queryClient.prefetchQuery(server.plans.calendar.queryOptions())
    void queryClient.prefetchQuery(server.session.me.queryOptions())
  }
}
const Screens = lazy(loadScreens)

const WallScreen = lazy(async () => ({
  default: (await import('./overview/wall/wall-screen.tsx')).WallScreen,
}))

/** The console's page, or the wall view, which nobody signs in to. */
function App() {
  const [token] = useState(wallToken)
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <AppliedPreferences />
        <Suspense fallback={<main aria-busy="true" />}>
          {token === undefined ? (
            <SessionGate>
              <Screens />
            </SessionGate>
          ) : (
            <WallScreen token={token} />
          )}
        </Suspense>
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
