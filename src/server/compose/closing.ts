import type { Logger } from 'pino'

/** What has to be closed again when the server stops or cannot start. */
export class Closing {
  readonly #steps: (() => void | Promise<void>)[] = []

  /** Adds a step. Steps run in the reverse order. */
  add(step: () => void | Promise<void>): void {
    this.#steps.push(step)
  }

  /** Runs every step once. A failing step is logged and does not stop the others. */
  async run(log: Logger): Promise<void> {
    for (const step of this.#steps.splice(0).reverse()) {
      try {
        await step()
      } catch (error) {
        log.error({ err: error }, 'could not close part of the server')
      }
    }
  }
}
