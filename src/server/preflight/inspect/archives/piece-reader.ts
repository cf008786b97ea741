import { damaged } from '../budget.ts'

/** Reads what arrives in pieces, in order. */
export class PieceReader {
  readonly #pieces: AsyncIterator<Buffer>
  #left: Buffer = Buffer.alloc(0)
  /** Bytes taken so far. */
  position = 0

  constructor(pieces: AsyncIterator<Buffer>) {
    this.#pieces = pieces
  }

  /** Takes one piece of `most` bytes at most; undefined at the end. */
  async piece(most: number): Promise<Buffer | undefined> {
    while (this.#left.length === 0) {
      const next = await this.#pieces.next()
      if (next.done === true) return undefined
      this.#left = next.value
    }
    const taken = this.#left.subarray(0, most)
    this.#left = this.#left.subarray(taken.length)
    this.position += taken.length
    return taken
  }

  /** Takes exactly so many bytes; undefined if there is none left. Throws `Unread` if there are fewer. */
  async take(length: number): Promise<Buffer | undefined> {
    const taken: Buffer[] = []
    for (let missing = length; missing > 0; ) {
      const piece = await this.piece(missing)
      if (piece === undefined) {
        if (taken.length === 0) return undefined
        throw damaged()
      }
      taken.push(piece)
      missing -= piece.length
    }
    return Buffer.concat(taken)
  }

  /** Goes to a position that was not passed yet. Throws `Unread` if it does not exist. */
  async skipTo(position: number): Promise<void> {
    while (this.position < position) {
      if ((await this.piece(position - this.position)) === undefined) throw damaged()
    }
  }

  /** Yields what is before a position. */
  async *until(position: number): AsyncGenerator<Buffer, void> {
    while (this.position < position) {
      const piece = await this.piece(position - this.position)
      if (piece === undefined) return
      yield piece
    }
  }
}
