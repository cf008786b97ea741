/**
 * Runs `refresh` whenever it is asked to, one run after the other: what is asked for during a run
 * is one more run after it, at least `pause` milliseconds later. So a slow answer is never cut off
 * by the next event.
 */
export class Refresher {
  readonly #refresh: () => Promise<void>
  readonly #pause: number
  #wanted = false
  #running = false

  constructor(refresh: () => Promise<void>, pause: number) {
    this.#refresh = refresh
    this.#pause = pause
  }

  request(): void {
    this.#wanted = true
    if (!this.#running) void this.#run()
  }

  async #run(): Promise<void> {
    this.#running = true
    while (this.#wanted) {
      this.#wanted = false
      await this.#refresh().catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, this.#pause))
    }
    this.#running = false
  }
}
