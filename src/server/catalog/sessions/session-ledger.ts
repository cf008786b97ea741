import { hash } from 'node:crypto'
import { SESSION_COUNTS, type SessionCounts } from '../../../shared/health/health-states.ts'

/** Sessions of a release that came from a network; see `networkNumber`. */
export interface NetworkSessions extends SessionCounts {
  readonly releaseId: string
  readonly network: number
}

/** A register of the sketch of a release's devices, see `registerOf`. */
export interface DeviceRegister {
  readonly releaseId: string
  /** 1 in the sketch of those whose sessions crashed, 0 in that of all. */
  readonly crashed: 0 | 1
  readonly register: number
  readonly rank: number
}

export interface SessionTallies {
  readonly networks: readonly NetworkSessions[]
  readonly registers: readonly DeviceRegister[]
}

/** Where sessions are counted. Not a part of the catalog's state: raises no revision. */
export interface SessionStore {
  /** Adds counts, and raises registers, as one. Those of releases that no longer exist are left out. */
  addSessions(tallies: SessionTallies): Promise<void>
  /** What was counted for a release. */
  sessionsOf(releaseId: string): Promise<SessionTallies>
}

/** Milliseconds between two writes. */
const INTERVAL = 1_000

type Pending = { -readonly [Member in keyof NetworkSessions]: NetworkSessions[Member] }

/** Adds sessions up, and writes the sums every second; a crash loses one. What waits is bounded by the releases. */
export class SessionLedger {
  readonly #store: SessionStore
  readonly #onFailure: (error: unknown) => void
  #networks = new Map<string, Pending>()
  #registers = new Map<string, DeviceRegister>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  /** `onFailure` hears of a write that failed; its sums are written with the next. */
  constructor(store: SessionStore, onFailure: (error: unknown) => void) {
    this.#store = store
    this.#onFailure = onFailure
  }

  /** Counts sessions of a release. `network`: of the caller. */
  add(releaseId: string, network: number, counts: SessionCounts): void {
    const key = `${releaseId} ${network}`
    const known = this.#networks.get(key)
    if (known === undefined) this.#networks.set(key, { ...counts, releaseId, network })
    else for (const name of SESSION_COUNTS) known[name] += counts[name]
    this.#writeSoon()
  }

  /** Notes that a device had a session of a release, and whether it crashed. */
  addDevice(releaseId: string, device: string, hasCrashed: boolean): void {
    const place = { releaseId, ...registerOf(releaseId, device) }
    this.#raise({ ...place, crashed: 0 })
    if (hasCrashed) this.#raise({ ...place, crashed: 1 })
    this.#writeSoon()
  }

  /** Writes what is left. */
  async stop(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.flush()
  }

  /** Writes what was counted since the last write. */
  async flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write())
    await this.#writing
  }

  #raise(register: DeviceRegister): void {
    const key = `${register.releaseId} ${register.crashed} ${register.register}`
    const known = this.#registers.get(key)
    if (known === undefined || known.rank < register.rank) this.#registers.set(key, register)
  }

  #writeSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.flush()
    }, INTERVAL).unref()
  }

  async #write(): Promise<void> {
    const [networks, registers] = [this.#networks, this.#registers]
    if (networks.size === 0 && registers.size === 0) return
    this.#networks = new Map()
    this.#registers = new Map()
    try {
      await this.#store.addSessions({
        networks: [...networks.values()],
        registers: [...registers.values()],
      })
    } catch (error) {
      for (const { releaseId, network, ...counts } of networks.values()) {
        this.add(releaseId, network, counts)
      }
      for (const register of registers.values()) this.#raise(register)
      this.#onFailure(error)
    }
  }
}

/*
 * Counts distinct devices in a bounded place, from which no device can be read: HyperLogLog of 256 registers, whose standard
 * error is 6.5%. P. Flajolet et al., "HyperLogLog: the analysis of a near-optimal cardinality estimation algorithm" (2007).
 */
const REGISTERS = 256
const ALPHA = 0.7213 / (1 + 1.079 / REGISTERS)

/** Returns the register of a device in the sketch of a release, and the rank that it gives it: 1 to 57, by 56 bits. */
function registerOf(releaseId: string, device: string): { register: number; rank: number } {
  const bytes = hash('sha256', `${releaseId}:${device}`, 'buffer')
  const first = bytes.readUIntBE(1, 3)
  const leading = first === 0 ? 24 + Math.clz32(bytes.readUInt32BE(4)) : Math.clz32(first) - 8
  return { register: bytes.readUInt8(0), rank: leading + 1 }
}

/** Returns about how many devices registers with these ranks have seen. */
export function devicesIn(ranks: readonly number[]): number {
  const empty = REGISTERS - ranks.length
  const sum = ranks.reduce((all, rank) => all + 2 ** -rank, empty)
  const estimate = (ALPHA * REGISTERS * REGISTERS) / sum
  const isSmall = estimate <= 2.5 * REGISTERS && empty > 0
  return Math.round(isSmall ? REGISTERS * Math.log(REGISTERS / empty) : estimate)
}
