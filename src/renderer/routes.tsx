import { createHashRouter, type RouteObject } from 'react-router'
import { AccountScreen } from './account/account-screen.tsx'
import { CommandLineScreen } from './account/command-line-screen.tsx'
import { ApprovalScreen } from './approvals/approval-screen.tsx'
import { ApprovalsScreen } from './approvals/approvals-screen.tsx'
import { AppScreen } from './apps/app-screen.tsx'
import { AppsScreen } from './apps/apps-screen.tsx'
import { AuditScreen } from './audit/audit-screen.tsx'
import { isDesktop } from './bridge/clients.ts'
import { CalendarScreen } from './calendar/calendar-screen.tsx'
import { DeviceScreen, DevicesScreen } from './devices/index.ts'
import { DraftScreen } from './drafts/draft-screen.tsx'
import { DraftsScreen } from './drafts/drafts-screen.tsx'
import { FleetScreen } from './fleet/fleet-screen.tsx'
import { KeysScreen } from './keys/keys-screen.tsx'
import { Layout } from './layout/layout.tsx'
import { NotFoundScreen } from './layout/not-found-screen.tsx'
import { OverviewScreen } from './overview/overview-screen.tsx'
import { paths, patterns } from './paths.ts'
import { PeopleScreen } from './people/people-screen.tsx'
import { CompareScreen, PublishScreen, ReleaseScreen, ReleasesScreen } from './releases/index.ts'
import { SwitchScreen } from './servers/switch-screen.tsx'
import { SettingsScreen } from './settings/settings-screen.tsx'
import { followTypedAddresses } from './typed-address.ts'
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
