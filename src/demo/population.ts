import type { LabelMap } from '../shared/names.ts'
import type { Period } from './calendar.ts'
import { SimulatedDevice } from './device.ts'
import { drawHabits } from './habits.ts'
import { Random } from './random.ts'
import type { AppStory } from './story/story.ts'
import { APPS } from './story/studio.ts'

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

export interface PopulationOptions {
  readonly seed: number
  readonly devices: number
  readonly period: Period
}

/** The devices of the demo: the same for the same seed, number and period. */
export function populate({ seed, devices, period }: PopulationOptions): SimulatedDevice[] {
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
