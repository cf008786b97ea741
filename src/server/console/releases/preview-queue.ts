/**
 * Lets one preview run at a time: a second one would only take the processor from the first, and
 * a slider that moves asks for the next before the last has ended.
 */
export class PreviewQueue {
  #last: Promise<void> = Promise.resolve()

  /** Resolves when it is the caller's turn, with a function that ends the turn. */
  async turn(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const before = this.#last
    this.#last = promise
    await before
    return resolve
  }
}
