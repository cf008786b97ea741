import { forPrincipal } from '../../src/server/console/context.ts'
import { desktopPrincipal } from '../../src/server/console/desktop-principal.ts'
import { consoleRouter } from '../../src/server/console/router.ts'
import type { RunningServer } from '../../src/server/server.ts'
import { WELL_KNOWN } from '../support/builders/large-fleet.ts'
import { LARGE_APP, largeDeviceId } from '../support/builders/large-fleet-plan.ts'

/** A query of a screen of the console. */
export interface Click {
  readonly what: string
  ask(): Promise<unknown>
}

/** The queries of one pass through the screens of a large fleet. */
export function clicksOf(server: RunningServer): Click[] {
  const call = consoleRouter.createCaller(forPrincipal(server.consoleContext, desktopPrincipal()))
  const app = LARGE_APP
  let next = 0
  // A different device each time, because earlier pages are cached.
  const device = () => ({ app, deviceId: largeDeviceId((next++ % WELL_KNOWN) + 1) })
  const ranges = ['24h', '7d', '30d', '90d'] as const
  return [
    ...ranges.map((range) => ({
      what: `dashboard, ${range}`,
      ask: () => call.fleet.dashboard({ app, range }),
    })),
    { what: 'overview', ask: () => call.overview.get() },
    { what: 'devices, by last seen', ask: () => call.devices.list({ app }) },
    { what: 'devices, by version', ask: () => call.devices.list({ app, sort: 'version' }) },
    { what: 'devices, by id', ask: () => call.devices.list({ app, sort: 'deviceId' }) },
    { what: 'device: get', ask: () => call.devices.get(device()) },
    { what: 'device: check-ins', ask: () => call.devices.checkIns(device()) },
    { what: 'device: explain', ask: () => call.devices.explain(device()) },
    { what: 'audit, first page', ask: () => call.audit.list({}) },
    {
      what: 'audit, one version',
      ask: () => call.audit.list({ app, channel: 'stable', search: '1.7.0' }),
    },
  ]
}
