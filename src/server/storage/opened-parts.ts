/** What was opened one after another and has to be closed again. As `AsyncDisposableStack`, which Node 22 does not have. */
export class OpenedParts {
  readonly #closers: (() => void | Promise<void>)[] = []

  /** Adds what closes a part that was just opened. */
  add(close: () => void | Promise<void>): void {
    this.#closers.push(close)
  }

  /**
   * Closes every part once, in the reverse order. Rejects with the first error, after all were closed.
   */
  async close(): Promise<void> {
    const errors: unknown[] = []
    for (const close of this.#closers.splice(0).reverse()) {
      try {
        await close()
      } catch (error) {
        errors.push(error)
      }
    }
    if (errors.length > 0) throw errors[0]
  }
}
