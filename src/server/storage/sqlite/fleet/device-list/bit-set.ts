/** A set of device numbers, one bit each: a million devices are 125 kB. */
export class BitSet {
  #words = new Uint32Array(1_024)

  add(device: number): void {
    const word = device >>> 5
    if (word >= this.#words.length) this.#grow(word)
    this.#words[word] = (this.#words[word] ?? 0) | (1 << (device & 31))
  }

  has(device: number): boolean {
    return (((this.#words[device >>> 5] ?? 0) >>> (device & 31)) & 1) === 1
  }

  #grow(word: number): void {
    const words = new Uint32Array(2 ** Math.ceil(Math.log2(word + 1)))
    words.set(this.#words)
    this.#words = words
  }
}
