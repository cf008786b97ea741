/**
 * Tells a value that comes back late from whoever keeps it, such as the address of the screen, from one that
 * somebody else put there. The former is older than what was typed since.
 */
export class Echoes {
  #sent: string[] = []

  /** Notes a value that is handed on. */
  send(value: string): void {
    this.#sent.push(value)
  }

  /** Takes a value that came, and tells whether it is an own one. Values that were passed over are forgotten. */
  receive(value: string): boolean {
    const index = this.#sent.lastIndexOf(value)
    this.#sent = index === -1 ? [] : this.#sent.slice(index + 1)
    return index !== -1
  }

  /** Whether a value is still on its way. */
  get isWaiting(): boolean {
    return this.#sent.length > 0
  }
}
