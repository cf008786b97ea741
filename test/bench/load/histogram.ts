const STEPS_PER_MS = 100
const LONGEST_MS = 10_000

/** Latencies in milliseconds, kept in steps of 0.01 ms up to ten seconds. */
export class Histogram {
  readonly #steps = new Uint32Array(LONGEST_MS * STEPS_PER_MS + 1)
  #count = 0
  #longest = 0

  add(ms: number): void {
    const step = Math.min(Math.floor(ms * STEPS_PER_MS), this.#steps.length - 1)
    this.#steps[step] = (this.#steps[step] ?? 0) + 1
    this.#count += 1
    if (ms > this.#longest) this.#longest = ms
  }

  get count(): number {
    return this.#count
  }

  /** The latency in ms that `percent` (0 to 100) of the values do not exceed; NaN without values. */
  percentile(percent: number): number {
    if (this.#count === 0) return Number.NaN
    const rank = Math.max(1, Math.ceil((percent / 100) * this.#count))
    let seen = 0
    for (let step = 0; step < this.#steps.length - 1; step += 1) {
      seen += this.#steps[step] ?? 0
      if (seen >= rank) return Math.min((step + 1) / STEPS_PER_MS, this.#longest)
    }
    return this.#longest
  }
}
