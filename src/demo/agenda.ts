/** Who is due next, of many that each have one time: a binary heap. Equal times go by number. */
export class Agenda {
  readonly #times: number[] = []
  readonly #numbers: number[] = []

  /** The earliest time; Infinity if none is due. */
  get next(): number {
    return this.#times[0] ?? Number.POSITIVE_INFINITY
  }

  /** Puts a number on the agenda. It must not be on it. */
  put(number: number, at: number): void {
    let slot = this.#times.length
    while (slot > 0) {
      const parent = (slot - 1) >> 1
      if (this.#before(parent, at, number)) break
      this.#move(parent, slot)
      slot = parent
    }
    this.#times[slot] = at
    this.#numbers[slot] = number
  }

  /** Takes the number that is due first; undefined if none is. */
  take(): number | undefined {
    const first = this.#numbers[0]
    const at = this.#times.pop()
    const number = this.#numbers.pop()
    if (at === undefined || number === undefined || this.#times.length === 0) return first
    let slot = 0
    for (;;) {
      let child = slot * 2 + 1
      if (child >= this.#times.length) break
      const right = child + 1
      if (right < this.#times.length && this.#before(right, this.#time(child), this.#number(child)))
        child = right
      if (!this.#before(child, at, number)) break
      this.#move(child, slot)
      slot = child
    }
    this.#times[slot] = at
    this.#numbers[slot] = number
    return first
  }

  #before(slot: number, at: number, number: number): boolean {
    const time = this.#time(slot)
    return time < at || (time === at && this.#number(slot) < number)
  }

  #move(from: number, to: number): void {
    this.#times[to] = this.#time(from)
    this.#numbers[to] = this.#number(from)
  }

  #time(slot: number): number {
    return this.#times[slot] ?? Number.POSITIVE_INFINITY
  }

  #number(slot: number): number {
    return this.#numbers[slot] ?? 0
  }
}
