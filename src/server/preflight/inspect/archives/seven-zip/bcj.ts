/** Bytes of a jump or call: its code, and a distance. */
const LENGTH = 5
const CALL = 0xe8
/** How often bytes that may be jumps overlap one, and whether it was changed in spite of that. */
const IS_CHANGED = [true, true, true, false, true, false, false, false]
const OVERLAPPED = [0, 1, 2, 2, 3, 3, 3, 3]

/**
 * Turns what a filter made of programs for x86 back: it wrote places in the file for the distances of jumps and calls, which
 * compress better (`BCJ` of 7-Zip).
 */
export async function* bcj(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const filter = new JumpFilter()
  let left: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    const bytes = Buffer.concat([left, piece])
    const done = filter.restore(bytes)
    left = bytes.subarray(done)
    if (done > 0) yield bytes.subarray(0, done)
  }
  if (left.length > 0) yield left
}

class JumpFilter {
  /** Where the bytes are. */
  #position = 0
  /** Of the last byte that may be a jump. */
  #last = -LENGTH
  /** Bits of which of the bytes before may be jumps. */
  #mask = 0

  /** Restores bytes in place, and returns how many are final. */
  restore(bytes: Buffer): number {
    let at = 0
    while (at + LENGTH <= bytes.length) {
      if ((bytes.readUInt8(at) & 0xfe) !== CALL) {
        at += 1
        continue
      }
      const place = this.#position + at
      const distance = place - this.#last
      this.#last = place
      this.#mask = distance > LENGTH ? 0 : this.#shifted(distance)
      at += this.#restoreAt(bytes, at, place)
    }
    this.#position += at
    return at
  }

  #shifted(distance: number): number {
    let mask = this.#mask
    for (let index = 0; index < distance; index += 1) mask = (mask & 0x77) << 1
    return mask
  }

  /** Returns how many bytes it went on. */
  #restoreAt(bytes: Buffer, at: number, place: number): number {
    const overlaps = this.#mask >> 1
    const isFar = isSign(bytes.readUInt8(at + 4))
    if (!isFar || IS_CHANGED[overlaps & 7] !== true || overlaps >= 0x10) {
      this.#mask |= isFar ? 0x11 : 1
      return 1
    }
    let target = bytes.readInt32LE(at + 1)
    let distance = 0
    for (;;) {
      distance = (target - (place + LENGTH)) | 0
      if (this.#mask === 0) break
      const shift = (OVERLAPPED[overlaps] ?? 0) * 8
      if (!isSign((distance >>> (24 - shift)) & 0xff)) break
      target = distance ^ (2 ** (32 - shift) - 1)
    }
    // The distance has 25 bits, with its sign.
    bytes.writeInt32LE((distance << 7) >> 7, at + 1)
    this.#mask = 0
    return LENGTH
  }
}

/** Distances are near zero: their highest byte is only their sign. */
function isSign(byte: number): boolean {
  return byte === 0 || byte === 0xff
}
