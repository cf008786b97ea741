import type { CheckIn } from './check-in.ts'
import type { SimulatedDevice } from './device.ts'
import { activityAt, isThere } from './habits.ts'
import { checkInOverHttp } from './http-check-in.ts'
import type { Random } from './random.ts'

/** Check-ins a second while everyone is at work. */
const BUSIEST = 8
/** Share of that which is left in the dead of night, so that there is always something to see. */
export const QUIETEST = 0.7
/** Most check-ins under way at once; more are skipped, and the next is as good. */
const MOST_UNDER_WAY = 16
/** Milliseconds that a download and the restart after it take: less than they would, to be seen. */
const QUICKEST_UPDATE = 3_000
const SLOWEST_UPDATE = 12_000

export interface PresentOptions {
  /** Address of the server that runs. */
  readonly address: string
  readonly devices: readonly SimulatedDevice[]
  readonly random: Random
  /** How many times faster than in the demo everything happens; 1 by default. */
  readonly speed?: number
  /** Called with the reason when check-ins begin to fail, and with undefined when one succeeds again. */
  readonly onTrouble: (reason: string | undefined) => void
}

/** What has happened until now. */
export interface PresentTally {
  readonly checkIns: number
  readonly updates: number
  readonly failures: number
}

/**
 * Keeps the devices checking in over HTTP, by the clock of this computer: some a second, those that
 * are in use at this hour more often. Who is offered a release installs it after some seconds.
 */
export class Present {
  readonly #options: PresentOptions
  readonly #speed: number
  readonly #stopped = new AbortController()
  readonly #makeCheckIn: CheckIn
  readonly #underWay = new Set<Promise<void>>()
  readonly #updating = new Map<SimulatedDevice, NodeJS.Timeout>()
  #next: NodeJS.Timeout | undefined
  #inTrouble = false
  #checkIns = 0
  #updates = 0
  #failures = 0

  constructor(options: PresentOptions) {
    this.#options = options
    this.#speed = options.speed ?? 1
    this.#makeCheckIn = checkInOverHttp(options.address, this.#stopped.signal)
  }

  /** What has happened until now. */
  get tally(): PresentTally {
    return { checkIns: this.#checkIns, updates: this.#updates, failures: this.#failures }
  }

  /** Lets devices check in until `stop`. */
  start(): void {
    this.#schedule()
  }

  /** Gives up what is under way. Nothing checks in any more once it resolves. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    clearTimeout(this.#next)
    for (const timer of this.#updating.values()) clearTimeout(timer)
    this.#updating.clear()
    await Promise.all(this.#underWay)
  }

  #schedule(): void {
    this.#next = setTimeout(
      () => {
        const device = this.#choose()
        if (device !== undefined) this.#begin(device)
        this.#schedule()
      },
      this.#options.random.wait(1_000 / BUSIEST) / this.#speed,
    )
  }

  /** Returns a device that checks in now; undefined if the one drawn is not in use at this hour. */
  #choose(): SimulatedDevice | undefined {
    const { devices, random } = this.#options
    const device = devices[random.below(devices.length)]
    if (device?.version === undefined || this.#updating.has(device)) return undefined
    const { habits } = device.traits
    const now = Date.now()
    const activity = isThere(habits, now) ? activityAt(habits.rhythm, habits.zone, now) : -1
    return activity >= 0 && random.chance(Math.max(QUIETEST, activity)) ? device : undefined
  }

  #begin(device: SimulatedDevice): void {
    if (this.#underWay.size >= MOST_UNDER_WAY) return
    const checkIn = this.#checkIn(device)
      .then(
        () => this.#recover(),
        (error: unknown) => this.#fail(error),
      )
      .finally(() => this.#underWay.delete(checkIn))
    this.#underWay.add(checkIn)
  }

  async #checkIn(device: SimulatedDevice): Promise<void> {
    const { random } = this.#options
    const { updates } = await this.#makeCheckIn(device)
    this.#checkIns++
    if (!updates || this.#stopped.signal.aborted) return
    const restart = () => {
      this.#updating.delete(device)
      device.start('')
      this.#updates++
      this.#begin(device)
    }
    this.#updating.set(
      device,
      setTimeout(restart, random.between(QUICKEST_UPDATE, SLOWEST_UPDATE) / this.#speed),
    )
  }

  #recover(): void {
    if (this.#inTrouble) this.#options.onTrouble(undefined)
    this.#inTrouble = false
  }

  #fail(error: unknown): void {
    if (this.#stopped.signal.aborted) return
    this.#failures++
    if (this.#inTrouble) return
    this.#inTrouble = true
    this.#options.onTrouble(reasonOf(error))
  }
}

/** `fetch` has the reason only in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
