import type { ComponentType } from 'react'
import { createHashRouter, type DataRouter, type RouteObject } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { newId } from '../shared/basics/new-id.ts'
import { ConfirmIdentity } from './access/sign-in/confirm-identity.tsx'
import { isDesktop } from './bridge/clients.ts'
import { ServerStateProvider } from './bridge/server-state.tsx'
import { ServersProvider } from './bridge/servers.tsx'
import { Loading } from './components/loading/loading.tsx'
import { Layout, NotFoundScreen } from './layout/layout.tsx'
import { paths, patterns } from './paths.ts'

/** The screens, in the order of the navigation. Each is loaded when it is opened for the first time. */
const screens: RouteObject[] = [
  { path: paths.overview, lazy: () => import('./overview/overview-screen.tsx') },
  { path: paths.fleet, lazy: () => import('./fleet/fleet-screen.tsx') },
  { path: paths.releases, lazy: () => import('./releases/list/releases-screen.tsx') },
  { path: paths.publish, lazy: () => import('./releases/publish/publish-screen.tsx') },
  { path: paths.drafts, lazy: () => import('./releases/drafts/drafts-screen.tsx') },
  { path: patterns.draft, lazy: () => import('./releases/drafts/draft-screen.tsx') },
  { path: patterns.release, lazy: () => import('./releases/release/release-screen.tsx') },
  { path: patterns.compare, lazy: () => import('./releases/compare/compare-screen.tsx') },
  { path: paths.calendar, lazy: () => import('./releases/calendar/calendar-screen.tsx') },
  { path: paths.approvals, lazy: () => import('./releases/approvals/approvals-screen.tsx') },
  { path: patterns.approval, lazy: () => import('./releases/approvals/approval-screen.tsx') },
  { path: paths.devices(), lazy: () => import('./devices/list/devices-screen.tsx') },
  { path: patterns.device, lazy: () => import('./devices/device/device-screen.tsx') },
  { path: paths.apps, lazy: () => import('./apps/apps-screen.tsx') },
  { path: patterns.app, lazy: () => import('./apps/app-screen.tsx') },
  { path: paths.keys, lazy: () => import('./access/keys/keys-screen.tsx') },
  { path: paths.people, lazy: () => import('./access/people/people-screen.tsx') },
  { path: paths.webhooks, lazy: () => import('./webhooks/webhooks-screen.tsx') },
  { path: patterns.webhook, lazy: () => import('./webhooks/webhook-screen.tsx') },
  { path: paths.audit, lazy: () => import('./audit/audit-screen.tsx') },
  { path: paths.settings, lazy: () => import('./settings/settings-screen.tsx') },
  { path: paths.account, ...inBrowser(() => import('./access/account/account-screen.tsx')) },
  {
    path: paths.commandLine,
    ...inBrowser(() => import('./access/account/command-line-screen.tsx')),
  },
  // Who is signed in wanted to link the own account.
  {
    path: patterns.signOnRefused,
    ...inBrowser(() => import('./access/account/account-screen.tsx')),
  },
  { path: patterns.server, lazy: () => import('./servers/switch-screen.tsx') },
  { path: '*', element: <NotFoundScreen /> },
]

/** A screen that the desktop app does not have. */
function inBrowser(lazy: () => Promise<{ Component: ComponentType }>): RouteObject {
  return isDesktop() ? { element: <NotFoundScreen /> } : { lazy }
}

const follow = followTypedAddresses()

/** A screen that fails to draw leaves the navigation where it is. */
const router = createHashRouter([
  {
    element: <Layout />,
    errorElement: <NotFoundScreen />,
    children: [
      {
        errorElement: <NotFoundScreen />,
        hydrateFallbackElement: <Loading />,
        children: screens,
      },
    ],
  },
])

follow(router)

/** The console of who is signed in: its frame and screens, and the question who it is. */
export function Screens() {
  return (
    <ServersProvider>
      <ServerStateProvider>
        <RouterProvider router={router} />
        <ConfirmIdentity />
      </ServerStateProvider>
    </ServersProvider>
  )
}

/**
 * Has the router treat an address that somebody typed, or that was set as `location.hash`, like a link that was
 * followed: a form with unsaved changes asks before it is left. The router goes back by the number that it keeps in
 * the state of each entry of the history (`idx`); only the entries that it adds itself have one. So such an entry
 * gets its number here, before the router hears of it: call this before the router is created, which listens from then
 * on, and what it returns with the router.
 */
function followTypedAddresses(): (router: Pick<DataRouter, 'subscribe'>) => void {
  let current = numberOf(history.state) ?? 0
  window.addEventListener('popstate', ({ state }: PopStateEvent) => {
    const known = numberOf(state)
    current = known ?? current + 1
    if (known === undefined) {
      history.replaceState({ usr: null, key: newId(), idx: current }, '')
    }
  })
  return (router) => {
    router.subscribe(() => {
      current = numberOf(history.state) ?? current
    })
  }
}

/** The number in the state of an entry; undefined if the router did not add it. */
function numberOf(state: unknown): number | undefined {
  if (typeof state !== 'object' || state === null || !('idx' in state)) return undefined
  return typeof state.idx === 'number' ? state.idx : undefined
}
