import type { CountedHealth } from '../../src/server/fleet/health/release-counts.ts'
import { activityOf } from '../../src/server/judging/activity.ts'
import type { Activity } from '../../src/server/judging/counted.ts'
import type { PlanVerdict } from '../../src/server/use-cases/plans/plan-runner.ts'
import { type Cells, CountedRelease, EPOCH, healthIn } from './counted-release.ts'
import { type Device, drawCaller, drawDevice, type Fault, install, meetRelease } from './device.ts'
import type { Fleet } from './fleet.ts'
import { DAY, nextSession } from './habits.ts'
import { type Plan, RunningPlan } from './plans.ts'
import { Chance } from './random.ts'

/** How a release breaks devices: which share (0 to 1) of them, and in which ways. */
export interface Badness {
  readonly share: number
  readonly faults: readonly Fault[]
}

/** Milliseconds. */
const HOUR = 3_600_000
/** Hours until a device that restarts into a release checks again. */
const RESTART = 0.05

/** The devices of a channel, the release that they are offered, and what the server sees of it. Times are hours. */
export class World {
  readonly #fleet: Fleet
  readonly #chance: Chance
  readonly #hours: number
  readonly #devices: readonly Device[]
  /** By hour, those that check in it. */
  readonly #due: Device[][]
  /** Devices seen, by day. */
  readonly #seenOn: number[]
  /** Hours with check-ins. Every hour before the start is one. */
  readonly #busy = new Set(Array.from({ length: 1_000 }, (_, hour) => -1 - hour))
  readonly #areAlike: boolean
  #release: CountedRelease
  #releases = 0
  #plan = new RunningPlan([], 0)
  #publishedAt = Infinity
  #now = 0
  #harmed = 0

  /** `areAlike`: see `Watched`. */
  constructor(fleet: Fleet, hours: number, chance: Chance, areAlike: boolean) {
    this.#areAlike = areAlike
    this.#release = new CountedRelease(0, areAlike)
    this.#fleet = fleet
    this.#chance = chance
    this.#hours = hours
    this.#due = Array.from({ length: hours }, () => [])
    this.#seenOn = new Array<number>(Math.ceil(hours / DAY)).fill(0)
    // Apart, so that addresses change nothing else.
    const addresses = new Chance(fleet.devices)
    this.#devices = Array.from({ length: fleet.devices }, () =>
      drawDevice(fleet, chance, hours, drawCaller(addresses)),
    )
    for (const device of this.#devices) this.#checkAt(device, device.checksAt)
  }

  /** Hours since the release was published. */
  get age(): number {
    return this.#now - this.#publishedAt
  }

  /** Percentage that the plan has reached. */
  get rolloutPct(): number {
    return this.#plan.rolloutPct
  }

  /** Devices that were offered a release that breaks them. */
  get harmed(): number {
    return this.#harmed
  }

  /** Publishes the next release. */
  publish({ share, faults }: Badness, plan: Plan): void {
    this.#publishedAt = this.#now
    this.#plan = new RunningPlan(plan, this.#now)
    this.#releases += 1
    this.#release = new CountedRelease(this.#releases, this.#areAlike)
    this.#harmed = 0
    for (const device of this.#devices) {
      const isHit = this.#chance.is(share)
      const fault = isHit ? this.#chance.oneOf(faults) : null
      meetRelease(device, this.#fleet, fault, this.#chance)
    }
  }

  /** Lets time pass. What `onHour` says of the plan is done: to apply a step that is due, to wait, or to stop. */
  run(hours: number, onHour: () => PlanVerdict = () => 'fine'): void {
    for (const end = Math.min(this.#hours, this.#now + hours); this.#now < end; ) {
      // Devices that restart are added while the hour runs.
      for (const device of this.#due[this.#now] ?? []) this.#check(device)
      this.#due[this.#now] = []
      this.#now += 1
      const verdict = onHour()
      if (verdict === 'stopped') return
      if (verdict === 'fine') this.#plan.advance(this.#now)
    }
  }

  /** What the server has counted of the release. */
  get cells(): Cells {
    return this.#release.cells
  }

  /** Returns what the server knows of the release, or would with other counts. */
  observed(cells: Cells = this.cells): CountedHealth {
    return healthIn(cells, this.#now, this.#busy)
  }

  /** Returns how active the devices of the channel are. */
  activity(): Activity | null {
    const since = this.#now - DAY
    const seen = this.#devices.reduce((sum, { lastSeen }) => sum + (lastSeen >= since ? 1 : 0), 0)
    const byDay = new Map(this.#seenOn.map((devices, day) => [day + EPOCH / DAY, devices]))
    return activityOf({ seen, byDay }, (this.#now + EPOCH) * HOUR)
  }

  #checkAt(device: Device, at: number): void {
    if (at >= device.endsAt || at >= this.#hours) return
    device.checksAt = at
    this.#due[Math.max(this.#now, Math.floor(at))]?.push(device)
  }

  #check(device: Device): void {
    const { checksAt: at, session } = device
    const isStart = session === null || (session.isStart && at === session.from)
    install(device, at, isStart && device.installs === 'next_start', this.#chance)
    if (device.isGone) return
    this.#count(device, at)
    const isOffered = !device.isOn && device.bucket < this.#plan.rolloutPct / 100
    if (isOffered) this.#offer(device, at)
    const moved = device.isOn === device.wasOn ? null : device.isOn ? 'on' : 'fell'
    const outcome = device.reportsFailure ? 'failed' : null
    this.#release.seen(device, at, { isOffered, moved, outcome })
    device.wasOn = device.isOn
    device.reportsFailure = false
    this.#next(device, at, isOffered)
  }

  #count(device: Device, at: number): void {
    const day = Math.floor(at / DAY)
    const isFirst = Math.floor(device.lastSeen / DAY) < day || at === device.lastSeen
    if (isFirst) this.#seenOn[day] = (this.#seenOn[day] ?? 0) + 1
    this.#busy.add(Math.floor(at))
  }

  #offer(device: Device, at: number): void {
    const { installs } = device
    device.installsAt ??= typeof installs === 'number' ? at + installs : at
    if (!device.isHit || device.isHarmed) return
    device.isHarmed = true
    this.#harmed += 1
  }

  #next(device: Device, at: number, isOffered: boolean): void {
    const { routine, session, wasOn } = device
    if (isOffered && device.installs === 'at_once') {
      install(device, at, false, this.#chance)
      if (device.isGone) return
      if (device.isOn !== wasOn || device.reportsFailure) {
        this.#checkAt(device, at + RESTART)
        return
      }
    }
    const next = at + routine.interval * this.#chance.between(0.95, 1.05)
    if (session !== null && next < session.to) {
      this.#checkAt(device, next)
      return
    }
    const after = Math.max(at, session?.to ?? at)
    device.session = nextSession(routine, after, this.#fleet.calendar, this.#chance)
    this.#checkAt(device, device.session.from)
  }
}
