/** What was opened one after another and has to be closed again. As `AsyncDisposableStack`, which Node 22 does not have. */
export class DisposerStack {
  readonly #closers: (() => void | Promise<void>)[] = []

  /** Adds what closes a part that was just opened. */
  add(close: () => void | Promise<void>): void {
    this.#closers.push(close)
  }

  /** Closes every part once, in the reverse order, despite failures. `onFailure` hears of each; without it, rejects with the first. */
  async close(onFailure?: (error: unknown) => void): Promise<void> {
    const errors: unknown[] = []
    for (const close of this.#closers.splice(0).reverse()) {
      try {
        await close()
      } catch (error) {
        errors.push(error)
        onFailure?.(error)
      }
    }
    if (errors.length > 0 && onFailure === undefined) throw errors[0]
  }
}
