const MILLISECOND = 1_000_000n

/**
 * The end of a lease on the monotonic clock of this computer, which all threads of a process share. One thread renews it,
 * another reads it.
 */
export class LeaseClock {
  readonly buffer: SharedArrayBuffer
  /** Nanoseconds of `process.hrtime`. */
  readonly #end: BigInt64Array<SharedArrayBuffer>

  /** `buffer`: of the clock in another thread. A new one has no lease. */
  constructor(buffer = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT)) {
    this.buffer = buffer
    this.#end = new BigInt64Array(buffer)
  }

  /** Returns now, in nanoseconds. */
  static now(): bigint {
    return process.hrtime.bigint()
  }

  isLive(): boolean {
    return LeaseClock.now() < Atomics.load(this.#end, 0)
  }

  /** Returns the milliseconds until the lease ends, rounded up; 0 without one. */
  left(): number {
    const left = Atomics.load(this.#end, 0) - LeaseClock.now()
    return left <= 0n ? 0 : Number((left + MILLISECOND - 1n) / MILLISECOND)
  }

  /** The lease ends that many milliseconds after `sent`, which was read before the database was asked to renew it. */
  renew(sent: bigint, leaseTime: number): void {
    Atomics.store(this.#end, 0, sent + BigInt(Math.floor(leaseTime)) * MILLISECOND)
  }

  /** There is no lease any more. */
  end(): void {
    Atomics.store(this.#end, 0, 0n)
  }
}
