import { SESSION_COUNTS, type SessionCounts } from '../../../shared/sessions.ts'
import type { DeviceRegister, NetworkSessions, SessionStore } from './session-store.ts'
import { registerOf } from './sketch.ts'

/** Milliseconds between two writes. */
const INTERVAL = 1_000

type Pending = { -readonly [Member in keyof NetworkSessions]: NetworkSessions[Member] }

/**
 * Adds sessions up, and writes the sums every second: a crash of the server loses those of a second. What waits is bounded
 * by the releases, because the registers and networks of each are.
 */
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
