import { LONG } from '../seed.ts'
import { ADMINISTRATION } from './administration.ts'
import { APPS } from './apps.ts'
import { DEVICES } from './devices.ts'
import { FLEET } from './fleet.ts'
import { PLANS } from './plans.ts'
import { PUBLISH } from './publish.ts'
import { RELEASES } from './releases.ts'
import { SETTINGS } from './settings.ts'
import { below, clicked, type Shot, withoutAnswer } from './shot.ts'

const LONG_RELEASE = `/releases/${LONG.app}/${LONG.channel}/${encodeURIComponent(LONG.version)}`

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
  ...withoutAnswer('overview', '/'),
  ...withoutAnswer('release', '/releases/editor/stable/2.3.0'),
  ...withoutAnswer('devices', '/devices'),
  ...withoutAnswer('fleet', '/fleet'),
  below('long-overview', '/', 'Bestandsverwaltung für Kundendienst und Auftragsabwicklung'),
  { name: 'long-release', path: LONG_RELEASE },
  { name: 'long-releases', path: `/releases?app=${LONG.app}` },
  { name: 'long-device', path: `/devices/${LONG.app}/${LONG.device}` },
  { name: 'long-devices', path: `/devices?app=${LONG.app}` },
  { name: 'long-app', path: `/apps/${LONG.app}` },
  { name: 'long-fleet', path: `/fleet?app=${LONG.app}` },
  clicked('long-roll-back', LONG_RELEASE, 'Roll back'),
]
