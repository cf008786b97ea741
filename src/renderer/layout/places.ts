import {
  type Icon,
  IconApps,
  IconCalendar,
  IconChartAreaLine,
  IconChecklist,
  IconDevices,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconSettings,
  IconTag,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react'
import { useMemo } from 'react'
import type { PLACE_NAMES } from '../../shared/wording/places.ts'
import { useAccess } from '../bridge/access.ts'
import { paths } from '../paths.ts'

/** A screen. */
export interface Place {
  readonly id: keyof typeof PLACE_NAMES
  readonly to: string
  /** Goes there after G. */
  readonly key: string
  readonly Icon: Icon
  /** Also for those who have no role in any app: it has something for them, or says what to do. */
  readonly forAll?: boolean
  /** Only for administrators of the server. */
  readonly forAdministrators?: boolean
}

/** The screens that can be reached from everywhere, in the order of the navigation. */
export const PLACES: readonly Place[] = [
  { id: 'overview', to: paths.overview, key: 'O', Icon: IconLayoutDashboard, forAll: true },
  { id: 'fleet', to: paths.fleet, key: 'F', Icon: IconChartAreaLine },
  { id: 'releases', to: paths.releases, key: 'R', Icon: IconTag },
  { id: 'calendar', to: paths.calendar, key: 'C', Icon: IconCalendar },
  { id: 'approvals', to: paths.approvals, key: 'V', Icon: IconChecklist },
  { id: 'devices', to: paths.devices(), key: 'D', Icon: IconDevices },
  { id: 'apps', to: paths.apps, key: 'A', Icon: IconApps },
  { id: 'keys', to: paths.keys, key: 'K', Icon: IconKey },
  { id: 'people', to: paths.people, key: 'P', Icon: IconUsers, forAdministrators: true },
  { id: 'webhooks', to: paths.webhooks, key: 'W', Icon: IconWebhook, forAdministrators: true },
  { id: 'audit', to: paths.audit, key: 'L', Icon: IconHistory },
  { id: 'settings', to: paths.settings, key: 'S', Icon: IconSettings, forAll: true },
]

/** Returns the screens that the person may open, in the order of the navigation. */
export function usePlaces(): readonly Place[] {
  const { may, mayInSomeApp } = useAccess()
  return useMemo(
    () =>
      PLACES.filter(({ forAll, forAdministrators }) =>
        forAdministrators ? may('administrator') : forAll || mayInSomeApp('viewer'),
      ),
    [may, mayInSomeApp],
  )
}
