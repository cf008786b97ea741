import type { Logger } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import type { RunningServer } from '../server/compose/running-server.ts'
import type { ServerConfigInput } from '../server/config.ts'
import { days } from '../server/fleet/time.ts'
import { createServer } from '../server/server.ts'
import { checkInDirectly } from './check-in.ts'
import { DemoClock } from './clock.ts'
import { live } from './course.ts'
import type { SimulatedDevice } from './device.ts'
import { populate } from './population.ts'
import { Random } from './random.ts'
import { timeline } from './timeline.ts'

/** Milliseconds between two looks at rollout plans. */
const LOOK_EVERY = 3_600_000

export interface DemoOptions {
  /** Folder for the new database. It must not have one. */
  readonly dataFolder: string
  /** The same seed, devices, days and end make the same database, but for the keys' secrets. */
  readonly seed: number
  readonly devices: number
  /** How long the past is, at least 7. */
  readonly days: number
  /** End of the history in Unix milliseconds; now by default. */
  readonly end?: number
  /** Address of the server that has the files of the releases. */
  readonly downloads: string
  /** Called with the share of the past that has been made: 0 to 1. */
  readonly onProgress?: (share: number) => void
  readonly log?: Logger
  /** Ends the making; it rejects with the signal's reason, and the folder is of no use. */
  readonly signal?: AbortSignal
  /** Wraps the server before anything happens, for tests that record its calls. */
  readonly watch?: (server: RunningServer) => RunningServer
}

/** What the demo knows of a folder that it made. */
export interface DemoFolder {
  readonly devices: readonly SimulatedDevice[]
  /** The secrets of the keys that are not revoked, by name. */
  readonly keys: ReadonlyMap<string, string>
  readonly checkIns: number
  /** End of its past in Unix milliseconds. */
  readonly end: number
}

/** Makes a data folder with a past, by a server whose clock runs through it. The server is stopped then. */
export async function makeDemoFolder(options: DemoOptions): Promise<DemoFolder> {
  const { dataFolder, seed, downloads, log, onProgress, watch = (server) => server } = options
  const end = options.end ?? Date.now()
  const period = { start: end - days(options.days), end }
  const keys = new Map<string, string>()
  const steps = timeline({ period, downloads, onKey: (name, secret) => keys.set(name, secret) })
  const devices = populate({ seed, devices: options.devices, period })
  const clock = new DemoClock(period.start)
  const server = await startDemoServer(
    {
      dataFolder,
      port: 0,
      limits: { device: 0, key: 0, rejectedKey: 0 },
      budgets: { newDevices: 0, minFreeDiskMiB: 0 },
      keepDeviceDays: 0,
      keepSeenOnceDays: 0,
      // By the clock of the past, not by that of this computer.
      plans: { lookEvery: 2 ** 31 - 1 },
    },
    clock,
    log,
    ~seed,
  )
  try {
    const watched = watch(server)
    const checkIns = await live(watched, {
      devices,
      steps,
      start: period.start,
      end: () => end,
      checkIn: checkInDirectly(watched.updates),
      lookEvery: LOOK_EVERY,
      setClock: (at) => clock.set(at),
      signal: options.signal,
      onProgress: (at) => onProgress?.((at - period.start) / (end - period.start)),
    })
    return { devices, keys, checkIns, end }
  } finally {
    await server.stop()
  }
}

/**
 * Starts the server of a demo, which takes its time from `clock`. `seed`: of the IDs that it makes. Throws what `createServer`
 * and its start throw.
 */
export function startDemoServer(
  config: ServerConfigInput,
  clock: DemoClock,
  log?: Logger,
  seed: number = clock.now(),
): Promise<RunningServer> {
  // What happens from the same time on happens again: who is in a step of a rollout depends on the release's ID.
  const ids = new Random(seed)
  const server = createServer(
    {
      // All of the fleet asks from one address.
      limits: { device: 0 },
      keepCheckInDays: 0,
      ...config,
    },
    log,
    { clock: clock.now, newId: () => uuidv7({ msecs: clock.now(), random: ids.bytes(16) }) },
  )
  return server.start()
}
