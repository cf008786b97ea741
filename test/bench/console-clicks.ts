import { WELL_KNOWN } from '../support/builders/large-fleet.ts'
import { LARGE_APP, largeDeviceId } from '../support/builders/large-fleet-plan.ts'

/** A query of a screen of the console. */
export interface Click {
  readonly what: string
  /** Its procedure. */
  readonly path: string
  /** Another input each time where an answer is kept for the next caller. */
  input(): unknown
}

/** The queries of one pass through the screens of a large fleet. */
export function clicks(): Click[] {
  const app = LARGE_APP
  let next = 0
  // A different device each time, because earlier pages are cached.
  const device = () => ({ app, deviceId: largeDeviceId((next++ % WELL_KNOWN) + 1) })
  const ranges = ['24h', '7d', '30d', '90d'] as const
  const click = (what: string, path: string, input?: unknown): Click => ({
    what,
    path,
    input: () => input,
  })
  return [
    ...ranges.map((range) => click(`dashboard, ${range}`, 'fleet.dashboard', { app, range })),
    click('overview', 'overview.get'),
    click('devices, by last seen', 'devices.list', { app }),
    click('devices, by version', 'devices.list', { app, sort: 'version' }),
    click('devices, by id', 'devices.list', { app, sort: 'deviceId' }),
    { what: 'device: get', path: 'devices.get', input: device },
    { what: 'device: check-ins', path: 'devices.checkIns', input: device },
    { what: 'device: explain', path: 'devices.explain', input: device },
    click('audit, first page', 'audit.list', {}),
    click('audit, one version', 'audit.list', { app, channel: 'stable', search: '1.7.0' }),
  ]
}
