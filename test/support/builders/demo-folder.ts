import { DemoClock } from '../../../src/demo/clock.ts'
import {
  type DemoFolder,
  type DemoOptions,
  makeDemoFolder,
  startDemoServer,
} from '../../../src/demo/folder.ts'
import { LIVE_HOURS, liveHours, type PlanEvent } from '../../../src/demo/live-hours.ts'
import type { RunningServer } from '../../../src/server/compose/running-server.ts'
import { HOUR } from './time.ts'

const DOWNLOADS = 'https://downloads.example'
/** Takes a second or two; the complete story still happens. */
const SMALL = { seed: 1, devices: 200, days: 20, downloads: DOWNLOADS }

/**
 * Fills a data folder that has no database yet with the demo's apps, releases, keys, audit log and
 * devices, whose past ends now. No server runs on it afterwards.
 */
export function makeSmallDemo(
  dataFolder: string,
  options: Partial<DemoOptions> = {},
): Promise<DemoFolder> {
  return makeDemoFolder({ ...SMALL, ...options, dataFolder })
}

/**
 * Makes the same and lets the hours pass that the demo shows, as fast as check-ins are answered. Returns the server, which
 * runs.
 */
export async function liveDemo(
  dataFolder: string,
  { end = Date.now(), ...options }: Partial<DemoOptions> = {},
  onEvent: (event: PlanEvent) => void = () => {},
): Promise<RunningServer> {
  const made = await makeSmallDemo(dataFolder, { ...options, end: end - LIVE_HOURS * HOUR })
  const clock = new DemoClock(made.end)
  // The hours look at plans at times of their own. Looks of the server would come at random between them.
  const plans = { lookEvery: 2 ** 31 - 1 }
  const server = await startDemoServer({ dataFolder, port: 0, plans }, clock)
  const speed = Number.POSITIVE_INFINITY
  const until = () => end
  try {
    await liveHours(server, { made, clock, downloads: DOWNLOADS, speed, until, onEvent })
  } catch (error) {
    await server.stop()
    throw error
  }
  return server
}
