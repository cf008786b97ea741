import type { CountedHealth } from '../../src/server/fleet/health/release-counts.ts'
import { silence } from '../../src/server/fleet/health/release-counts.ts'
import { silentFrom } from '../../src/server/fleet/health/usual-interval.ts'
import { activityOf } from '../../src/server/rules/judging/activity.ts'
import { type Arms, ArmsCounter } from '../../src/server/rules/judging/control.ts'
import type { Activity } from '../../src/server/rules/judging/counted.ts'
import { isGone } from '../../src/server/rules/judging/gone.ts'
import {
  type Cells,
  type CountedCells,
  CountedRelease,
  EPOCH,
  healthIn,
} from './counted-release.ts'
import {
  type Device,
  drawCaller,
  drawDevice,
  type Fault,
  install,
  isHarmedBy,
  meetRelease,
  nextCheck,
} from './device.ts'
import type { Fleet } from './fleet.ts'
import { DAY, type Span } from './habits.ts'
import { type Plan, RunningPlan } from './plans.ts'
import { Chance } from './random.ts'

/** How a release breaks devices: which share (0 to 1) of them, and in which ways. */
export interface Badness {
  readonly share: number
  readonly faults: readonly Fault[]
}

/** What a world is made of. */
interface Parts {
  readonly fleet: Fleet
  /** For how long it can run, in hours. */
  readonly hours: number
  readonly chance: Chance
  readonly devices: readonly Device[]
  /** By hour, the indexes of those that check in it. */
  readonly due: number[][]
  /** Devices seen, by day. */
  readonly seenOn: number[]
  /** Hours since 1970 with check-ins. Every hour before the start is one. */
  readonly busy: Set<number>
  release: CountedRelease
  plan: RunningPlan
  publishedAt: number
  now: number
  harmed: number
  /** When a quarter of the fleet has no power. */
  cut: Span | null
}

/** Counts devices that somebody has invented. */
export type Invented = (counter: ArmsCounter, byNetwork: boolean) => void

/** Milliseconds. */
const HOUR = 3_600_000
/** The devices of a channel, the release that they are offered, and what the server sees of it. Times are hours. */
export class World {
  readonly #parts: Parts

  private constructor(parts: Parts) {
    this.#parts = parts
  }

  static of(fleet: Fleet, hours: number, chance: Chance): World {
    // Apart, so that addresses change nothing else.
    const addresses = new Chance(fleet.devices)
    const devices = Array.from({ length: fleet.devices }, (_, index) =>
      drawDevice(index, fleet, chance, hours, drawCaller(addresses)),
    )
    const world = new World({
      ...{ fleet, hours, chance, devices, due: Array.from({ length: hours }, () => []) },
      seenOn: new Array<number>(Math.ceil(hours / DAY)).fill(0),
      busy: new Set(Array.from({ length: 1_000 }, (_, hour) => EPOCH - 1 - hour)),
      ...{ release: new CountedRelease(0), plan: new RunningPlan([], 0), publishedAt: Infinity },
      ...{ now: 0, harmed: 0, cut: null },
    })
    for (const device of devices) world.#checkAt(device, device.checksAt)
    return world
  }

  /** Returns a world that is the same from here on, unless other things are done. */
  fork(): World {
    const { devices, due, seenOn, busy, release, plan, chance, now, ...same } = this.#parts
    return new World({
      ...{ ...same, now, chance: chance.fork(), release: release.fork(), plan: plan.fork() },
      devices: devices.map((device) => ({ ...device })),
      due: due.map((indexes, hour) => (hour < now ? [] : indexes.slice())),
      ...{ seenOn: seenOn.slice(), busy: new Set(busy) },
    })
  }

  /** Hours since the release was published. */
  get age(): number {
    return this.#parts.now - this.#parts.publishedAt
  }

  /** Percentage that the plan has reached. */
  get rolloutPct(): number {
    return this.#parts.plan.rolloutPct
  }

  /** Whether all devices are offered the release. */
  get isOpen(): boolean {
    return this.#parts.plan.offeredPct >= 100
  }

  /** Devices that were offered a release that breaks them. */
  get harmed(): number {
    return this.#parts.harmed
  }

  /** Publishes the next release. */
  publish({ share, faults }: Badness, plan: Plan): void {
    const { chance, devices, fleet, now } = this.#parts
    this.#parts.publishedAt = now
    this.#parts.plan = new RunningPlan(plan, now)
    this.#parts.release = new CountedRelease(now + 1)
    this.#parts.harmed = 0
    for (const device of devices) {
      const isHit = chance.is(share)
      const fault = isHit ? chance.oneOf(faults) : null
      meetRelease(device, fleet, fault, chance)
    }
  }

  /** From then on everybody has days off, or a quarter of the fleet no power. */
  interrupt(by: 'holiday' | 'power_cut', from: number, to: number): void {
    const span = { from: this.#parts.now + from, to: this.#parts.now + to }
    if (by === 'power_cut') this.#parts.cut = span
    else this.#parts.fleet.calendar.holidays.push(span)
  }

  /** Lets hours pass in which every step is applied when it is due. */
  run(hours: number): void {
    for (let hour = 0; hour < hours; hour += 1) {
      this.pass()
      this.goOn()
    }
  }

  /** Lets an hour pass. */
  pass(): void {
    const { due, devices, now } = this.#parts
    // Devices that restart are added while the hour runs.
    for (const index of due[now] ?? []) {
      const device = devices[index]
      if (device !== undefined) this.#check(device)
    }
    due[now] = []
    this.#parts.now += 1
  }

  /** Applies the next step if it is due, and offers all of the last one. */
  goOn(): void {
    this.#parts.plan.advance(this.#parts.now)
  }

  /** Holds the next step back, and the offers of this one. */
  hold(): void {
    this.#parts.plan.hold(this.#parts.now)
  }

  /** What the server has counted of the release. */
  get cells(): CountedCells {
    return this.#parts.release.cells
  }

  /** Returns what the server knows of the release, or would with other counts. */
  observed(cells: Cells = this.cells.all): CountedHealth {
    return healthIn(cells, this.#parts.now, this.#parts.busy)
  }

  /** Returns how active the devices of the channel are. */
  activity(): Activity | null {
    const { now, devices, seenOn } = this.#parts
    const since = now - DAY
    const seen = devices.reduce((sum, { lastSeen }) => sum + (lastSeen >= since ? 1 : 0), 0)
    const byDay = new Map(seenOn.map((each, day) => [day + EPOCH / DAY, each]))
    return activityOf({ seen, byDay }, (now + EPOCH) * HOUR)
  }

  /**
   * The devices that are offered the release and those that are not, as the server counts them: each network apart, or all alike.
   * `invented` counts those that are none.
   */
  arms(byNetwork: boolean, invented?: Invented): Arms {
    const { devices, now, busy, publishedAt, plan, release } = this.#parts
    const isSilent = silence(now + EPOCH, busy)
    const counter = new ArmsCounter()
    for (const device of devices) {
      const { lastSeen, firstSeen, interval, caller } = device
      const isOffered = release.isOffered(device)
      const isWaiting = device.isOn || device.bucket < plan.offeredPct / 100
      if (lastSeen < publishedAt || (isWaiting && !isOffered)) continue
      const isKnown =
        firstSeen < publishedAt && Math.floor(lastSeen / DAY) > Math.floor(firstSeen / DAY)
      if (byNetwork && !isKnown) continue
      counter.count(byNetwork ? caller : null, isOffered ? 'offered' : 'control', {
        reverted: false,
        silent: isSilent(silentFrom((lastSeen + EPOCH) * HOUR, interval)),
        gone: isGone((now - lastSeen) * HOUR, interval),
      })
    }
    invented?.(counter, byNetwork)
    return counter.arms()
  }

  #checkAt(device: Device, at: number): void {
    const { now, due, hours, cut, chance } = this.#parts
    const isOff = cut !== null && device.isCutOff && at >= cut.from && at < cut.to
    const checksAt = isOff ? cut.to + chance.between(0, 1) : at
    if (checksAt >= device.endsAt || checksAt >= hours) return
    device.checksAt = checksAt
    due[Math.max(now, Math.floor(checksAt))]?.push(device.index)
  }

  #check(device: Device): void {
    const { chance, fleet, release, plan } = this.#parts
    const { checksAt: at, session } = device
    const isStart = session === null || (session.isStart && at === session.from)
    install(device, at, isStart && device.installs === 'next_start', chance)
    if (device.isGone) return
    this.#count(device, at)
    const isOffered = !device.isOn && device.bucket < plan.offeredPct / 100
    if (isOffered && isHarmedBy(device, at)) this.#parts.harmed += 1
    const moved = device.isOn === device.wasOn ? null : device.isOn ? 'on' : 'fell'
    const outcome = device.reportsFailure ? 'failed' : null
    release.seen(device, at, { isOffered, moved, outcome })
    device.wasOn = device.isOn
    device.reportsFailure = false
    const next = nextCheck(device, at, isOffered, fleet, chance)
    if (next !== null) this.#checkAt(device, next)
  }

  #count(device: Device, at: number): void {
    const { seenOn, busy } = this.#parts
    const day = Math.floor(at / DAY)
    const isFirst = Math.floor(device.lastSeen / DAY) < day || at === device.lastSeen
    if (isFirst) seenOn[day] = (seenOn[day] ?? 0) + 1
    busy.add(Math.floor(at) + EPOCH)
  }
}
