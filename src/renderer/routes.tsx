import { createHashRouter, type DataRouter, type RouteObject } from 'react-router'
import { newId } from '../shared/new-id.ts'
import { AccountScreen } from './account/account-screen.tsx'
import { CommandLineScreen } from './account/command-line-screen.tsx'
import { ApprovalScreen } from './approvals/approval-screen.tsx'
import { ApprovalsScreen } from './approvals/approvals-screen.tsx'
import { AppScreen } from './apps/app-screen.tsx'
import { AppsScreen } from './apps/apps-screen.tsx'
import { AuditScreen } from './audit/audit-screen.tsx'
import { isDesktop } from './bridge/clients.ts'
import { CalendarScreen } from './calendar/calendar-screen.tsx'
import { DeviceScreen } from './devices/device/device-screen.tsx'
import { DevicesScreen } from './devices/list/devices-screen.tsx'
import { DraftScreen } from './drafts/draft-screen.tsx'
import { DraftsScreen } from './drafts/drafts-screen.tsx'
import { FleetScreen } from './fleet/fleet-screen.tsx'
import { KeysScreen } from './keys/keys-screen.tsx'
import { Layout } from './layout/layout.tsx'
import { NotFoundScreen } from './layout/not-found-screen.tsx'
import { OverviewScreen } from './overview/overview-screen.tsx'
import { paths, patterns } from './paths.ts'
import { PeopleScreen } from './people/people-screen.tsx'
import { CompareScreen } from './releases/compare/compare-screen.tsx'
import { ReleasesScreen } from './releases/list/releases-screen.tsx'
import { PublishScreen } from './releases/publish/publish-screen.tsx'
import { ReleaseScreen } from './releases/release/release-screen.tsx'
import { SwitchScreen } from './servers/switch-screen.tsx'
import { SettingsScreen } from './settings/settings-screen.tsx'
import { WebhookScreen } from './webhooks/webhook-screen.tsx'
import { WebhooksScreen } from './webhooks/webhooks-screen.tsx'

/** The screens, in the order of the navigation. */
const screens: RouteObject[] = [
  { path: paths.overview, element: <OverviewScreen /> },
  { path: paths.fleet, element: <FleetScreen /> },
  { path: paths.releases, element: <ReleasesScreen /> },
  { path: paths.publish, element: <PublishScreen /> },
  { path: paths.drafts, element: <DraftsScreen /> },
  { path: patterns.draft, element: <DraftScreen /> },
  { path: patterns.release, element: <ReleaseScreen /> },
  { path: patterns.compare, element: <CompareScreen /> },
  { path: paths.calendar, element: <CalendarScreen /> },
  { path: paths.approvals, element: <ApprovalsScreen /> },
  { path: patterns.approval, element: <ApprovalScreen /> },
  { path: paths.devices(), element: <DevicesScreen /> },
  { path: patterns.device, element: <DeviceScreen /> },
  { path: paths.apps, element: <AppsScreen /> },
  { path: patterns.app, element: <AppScreen /> },
  { path: paths.keys, element: <KeysScreen /> },
  { path: paths.people, element: <PeopleScreen /> },
  { path: paths.webhooks, element: <WebhooksScreen /> },
  { path: patterns.webhook, element: <WebhookScreen /> },
  { path: paths.audit, element: <AuditScreen /> },
  { path: paths.settings, element: <SettingsScreen /> },
  { path: paths.account, element: isDesktop() ? <NotFoundScreen /> : <AccountScreen /> },
  {
    path: paths.commandLine,
    element: isDesktop() ? <NotFoundScreen /> : <CommandLineScreen />,
  },
  // Who is signed in wanted to link the own account.
  { path: patterns.signOnRefused, element: isDesktop() ? <NotFoundScreen /> : <AccountScreen /> },
  { path: patterns.server, element: <SwitchScreen /> },
  { path: '*', element: <NotFoundScreen /> },
]

const follow = followTypedAddresses()

/** A screen that fails to draw leaves the navigation where it is. */
export const router = createHashRouter([
  {
    element: <Layout />,
    errorElement: <NotFoundScreen />,
    children: [{ errorElement: <NotFoundScreen />, children: screens }],
  },
])

follow(router)

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
