import type { Logger } from 'pino'
import { V7Generator } from 'uuidv7'
import type { RunningServer } from '../server/compose/running-server.ts'
import type { ServerConfigInput } from '../server/config.ts'
import { days } from '../server/fleet/time.ts'
import { createServer } from '../server/server.ts'
import type { LabelMap } from '../shared/names.ts'
import type { Period } from './calendar.ts'
import { checkInDirectly } from './check-in.ts'
import { DemoClock } from './clock.ts'
import { live } from './course.ts'
import { SimulatedDevice } from './device.ts'
import { drawHabits } from './habits.ts'
import { Random } from './random.ts'
import type { AppStory } from './story/story.ts'
import { APPS } from './story/studio.ts'
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
  const random = new Random(seed)
  const ids = new V7Generator({ nextUint32: () => random.below(2 ** 32) })
  const server = createServer(
    {
      // All of the fleet asks from one address.
      limits: { device: 0 },
      keepCheckInDays: 0,
      ...config,
    },
    log,
    { clock: clock.now, newId: () => ids.generateOrResetWithTs(clock.now()).toString() },
  )
  return server.start()
}

/** Customers of the studio; `hours` east of UTC. */
const SITES = [
  { name: 'porto', weight: 16, hours: 0 },
  { name: 'hamburg', weight: 30, hours: 1 },
  { name: 'austin', weight: 22, hours: -6 },
  { name: 'osaka', weight: 10, hours: 9 },
] as const

/** Everyone else, who have no site label. */
const ELSEWHERE = [
  { weight: 40, hours: 1 },
  { weight: 30, hours: -5 },
  { weight: 14, hours: -8 },
  { weight: 10, hours: 8 },
  { weight: 6, hours: 5 },
] as const

const RINGS = [
  { name: 'early', weight: 6 },
  { name: 'pilot', weight: 14 },
  { name: 'broad', weight: 80 },
] as const

const AT_A_SITE = 0.55
const ANONYMOUS = 0.015
const RUNS_OLDER = 0.4

interface PopulationOptions {
  readonly seed: number
  readonly devices: number
  readonly period: Period
}

/** The devices of the demo: the same for the same seed, number and period. */
function populate({ seed, devices, period }: PopulationOptions): SimulatedDevice[] {
  const random = new Random(seed)
  return Array.from({ length: devices }, () => drawDevice(random.fork(), period))
}

function drawDevice(random: Random, period: Period): SimulatedDevice {
  const app = random.pick(APPS)
  const channel = random.pick(app.channels)
  const { platform, arch } = random.pick(app.platforms)
  const site = random.chance(AT_A_SITE) ? random.pick(SITES) : undefined
  const zone = site?.hours ?? random.pick(ELSEWHERE).hours
  const id = deviceId(random, app)
  const habits = drawHabits(random, random.pick(app.rhythms).name, zone, period)
  const isOld =
    random.chance(RUNS_OLDER) && habits.comes < period.start + (period.end - period.start) / 50
  const older = channel.before ?? []
  return new SimulatedDevice({
    id,
    app: app.ref,
    channel: channel.name,
    platform,
    arch,
    labels: drawLabels(random, site?.name),
    habits,
    random,
    version: isOld ? older[random.below(older.length)] : undefined,
  })
}

function deviceId(random: Random, { ref }: AppStory): string | null {
  if (ref !== 'parley' && random.chance(ANONYMOUS)) return null
  const bytes = random.bytes(16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Buffer.from(bytes).toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

function drawLabels(random: Random, site: string | undefined): LabelMap {
  const ring = random.pick(RINGS).name
  return site === undefined ? { ring } : { ring, site }
}
