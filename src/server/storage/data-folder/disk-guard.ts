import { freeBytesOf } from '../../hosting/uploads/space.ts'
import type { DiskGuardOptions } from '../interface/storage.ts'

/** Milliseconds between checks. */
const INTERVAL = 5_000
const MIB = 1_024 * 1_024

/**
 * Watches the free space on the disk of the data folder, in the background. If it cannot be
 * read, there is assumed to be enough.
 */
export class DiskGuard {
  readonly #options: Required<DiskGuardOptions>
  #timer: NodeJS.Timeout | undefined
  #looking: Promise<void> = Promise.resolve()
  #isNearlyFull = false
  #isReadable = true
  #stopped = false

  constructor(options: DiskGuardOptions) {
    this.#options = { freeBytes: freeBytesOf, interval: INTERVAL, ...options }
  }

  /** Checks now, and then every five seconds. Resolves after the first check. */
  async start(): Promise<void> {
    if (this.#options.minFreeMiB > 0) await this.#next()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#looking
  }

  async #next(): Promise<void> {
    this.#looking = this.#look()
    await this.#looking
    if (this.#stopped) return
    this.#timer = setTimeout(() => void this.#next(), this.#options.interval).unref()
  }

  async #look(): Promise<void> {
    const { folder, minFreeMiB, freeBytes, onChange, onFailure } = this.#options
    let isNearlyFull = false
    try {
      isNearlyFull = (await freeBytes(folder)) < minFreeMiB * MIB
      this.#isReadable = true
    } catch (error) {
      if (this.#isReadable) onFailure(error)
      this.#isReadable = false
    }
    if (this.#stopped || isNearlyFull === this.#isNearlyFull) return
    this.#isNearlyFull = isNearlyFull
    onChange(isNearlyFull)
  }
}
