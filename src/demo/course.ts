import { setImmediate as turn } from 'node:timers/promises'
import type { RunningServer } from '../server/compose/running-server.ts'
import { compareVersions, parseVersion } from '../server/rules/decision/version.ts'
import type { Updates } from '../server/use-cases/updates.ts'
import type { CheckIn } from './check-in.ts'
import type { SimulatedDevice } from './device.ts'
import { nextCheckIn } from './habits.ts'
import { principalOf, type TimelineStep } from './timeline.ts'

/** Who is due next, of many that each have one time: a binary heap. Equal times go by number. */
export class Agenda {
  readonly #times: number[] = []
  readonly #numbers: number[] = []

  /** The earliest time; Infinity if none is due. */
  get next(): number {
    return this.#times[0] ?? Number.POSITIVE_INFINITY
  }

  /** Puts a number on the agenda. It must not be on it. */
  put(number: number, at: number): void {
    let slot = this.#times.length
    while (slot > 0) {
      const parent = (slot - 1) >> 1
      if (this.#before(parent, at, number)) break
      this.#move(parent, slot)
      slot = parent
    }
    this.#times[slot] = at
    this.#numbers[slot] = number
  }

  /** Takes the number that is due first; undefined if none is. */
  take(): number | undefined {
    const first = this.#numbers[0]
    const at = this.#times.pop()
    const number = this.#numbers.pop()
    if (at === undefined || number === undefined || this.#times.length === 0) return first
    let slot = 0
    for (;;) {
      let child = slot * 2 + 1
      if (child >= this.#times.length) break
      const right = child + 1
      if (right < this.#times.length && this.#before(right, this.#time(child), this.#number(child)))
        child = right
      if (!this.#before(child, at, number)) break
      this.#move(child, slot)
      slot = child
    }
    this.#times[slot] = at
    this.#numbers[slot] = number
    return first
  }

  #before(slot: number, at: number, number: number): boolean {
    const time = this.#time(slot)
    return time < at || (time === at && this.#number(slot) < number)
  }

  #move(from: number, to: number): void {
    this.#times[to] = this.#time(from)
    this.#numbers[to] = this.#number(from)
  }

  #time(slot: number): number {
    return this.#times[slot] ?? Number.POSITIVE_INFINITY
  }

  #number(slot: number): number {
    return this.#numbers[slot] ?? 0
  }
}

/** Check-ins between two turns of the event loop, in which the writer gets its word in. */
const SLICE = 2_000
/** Check-ins that may wait for the writer: far below where the fleet would drop the oldest. */
const MOST_WAITING = 60_000
/** Releases that the story has on a channel at most. */
const MOST_RELEASES = 1_000
/** Milliseconds that a download and the restart after it take. */
const QUICKEST_UPDATE = 90_000
const SLOWEST_UPDATE = 1_200_000

/** A stretch of the demo's time. Times are Unix milliseconds. */
export interface Course {
  readonly devices: readonly SimulatedDevice[]
  readonly steps: readonly TimelineStep[]
  readonly start: number
  /** Asked before everything that happens, because the end may move. */
  readonly end: () => number
  /** Sets the clock of the server. */
  readonly setClock: (at: number) => void
  readonly checkIn: CheckIn
  /** How likely a device is in use at the quietest hour, 0 to 1; 0 by default. */
  readonly quietest?: number | undefined
  /** Milliseconds between two looks at rollout plans, from the first one on. */
  readonly lookEvery: number
  /** Called after every look. */
  readonly onLook?: (() => Promise<void>) | undefined
  /** Resolves when it is time for what happens at `at`; at once by default. */
  readonly pace?: ((at: number) => Promise<void>) | undefined
  /** Ends it early; `live` rejects with its reason. */
  readonly signal?: AbortSignal | undefined
  /** Called now and then with the time that the story has reached. */
  readonly onProgress?: ((at: number) => void) | undefined
}

/**
 * Lives through a stretch of time: people change the catalog, devices check in, and each check-in goes the way of a real
 * one, at its time. Returns the number of check-ins.
 */
export async function live(server: RunningServer, course: Course): Promise<number> {
  const { devices, start, end, setClock, checkIn, lookEvery, pace, quietest } = course
  const steps = [...course.steps]
  const agenda = new Agenda()
  for (const [number, { traits }] of devices.entries()) {
    const { random, habits } = traits
    agenda.put(number, nextCheckIn(random, habits, Math.max(start, habits.comes), quietest))
  }
  const reach = async (at: number) => {
    await pace?.(at)
    setClock(at)
  }
  let checkIns = 0
  let looksAt = Number.POSITIVE_INFINITY
  for (;;) {
    const at = agenda.next
    while ((steps[0]?.at ?? end()) <= Math.min(at, end() - 1)) {
      const step = steps.shift()
      if (step === undefined) break
      await reach(step.at)
      await step.run(server.updates)
      if (step.beginsPlan) looksAt = Math.min(looksAt, step.at + lookEvery)
    }
    for (; looksAt <= Math.min(at, end() - 1); looksAt += lookEvery) {
      await reach(looksAt)
      // Plans look at what is stored.
      await server.telemetry.settled()
      await server.plans.look()
      await course.onLook?.()
    }
    const number = agenda.take()
    const device = number === undefined ? undefined : devices[number]
    if (number === undefined || device === undefined || at >= end()) break
    const { random, habits } = device.traits
    if (at >= habits.leaves) continue
    await reach(at)
    device.start(device.version ?? (await versionToInstall(server.updates, device)))
    const { updates, reports } = await checkIn(device)
    checkIns += reports ? 2 : 1
    agenda.put(
      number,
      updates
        ? Math.ceil(at + random.between(QUICKEST_UPDATE, SLOWEST_UPDATE))
        : nextCheckIn(random, habits, at, quietest),
    )
    if (checkIns % SLICE > 1) continue
    course.signal?.throwIfAborted()
    course.onProgress?.(at)
    await turn()
    if (server.telemetry.health.queued > MOST_WAITING) await server.telemetry.settled()
  }
  setClock(end())
  await server.telemetry.settled()
  course.onProgress?.(end())
  return checkIns
}

/** Returns what a new device installs: the highest version that is offered to all devices. */
async function versionToInstall(
  updates: Updates,
  { traits: { app, channel } }: SimulatedDevice,
): Promise<string> {
  const query = { app, channel, status: 'published', page: 1, perPage: MOST_RELEASES } as const
  const { releases } = await updates.listReleases(principalOf('mara'), query)
  const published = releases
    .map(({ release }) => release)
    .toSorted((one, other) =>
      compareVersions(parseVersion(one.version), parseVersion(other.version)),
    )
  const open = published.findLast(
    ({ rolloutPct, targets }) =>
      rolloutPct === 100 && Object.keys(targets.matchLabels).length === 0,
  )
  const release = open ?? published[0]
  if (release === undefined) throw new Error(`${app}/${channel} has no release to install`)
  return release.version
}
