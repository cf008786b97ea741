import { ADMINISTRATION } from './administration.ts'
import { APPS } from './apps.ts'
import { DEVICES } from './devices.ts'
import { FLEET } from './fleet.ts'
import { PLANS } from './plans.ts'
import { PUBLISH } from './publish.ts'
import { RELEASES } from './releases.ts'
import { SETTINGS } from './settings.ts'
import type { Shot } from './shot.ts'

/** Pictures of a server with apps, releases, devices and keys. */
export const FILLED: readonly Shot[] = [
  ...FLEET,
  ...PUBLISH,
  ...PLANS,
  ...RELEASES,
  ...DEVICES,
  ...APPS,
  ...ADMINISTRATION,
  ...SETTINGS,
  { name: 'lost', path: '/nowhere' },
]
