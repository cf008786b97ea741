/** A piece of one content that another one has, too. */
export interface Copy {
  /** Where it is in the new content. */
  readonly at: number
  /** Where it is in the old one. */
  readonly from: number
  /** Bytes. */
  readonly length: number
}

/** Bytes of the shortest piece that is looked for. */
const WINDOW = 32
/** Every so many bytes of the old content a piece is known by its hash: 2 bytes of memory for each 8 of the content. */
const STRIDE = 16
/** Binary digits of the largest table: 32 MiB. */
const MAX_DIGITS = 23
const FACTOR = 0x2c9277b5
/** What the byte that leaves the window counts for. */
const LEAVING = Array.from({ length: WINDOW }).reduce<number>((each) => Math.imul(each, FACTOR), 1)

/** Returns the pieces of `next` that are in `base`, in the order of `next`, without overlaps, as far as a pass finds them. */
export function* copiesIn(base: Uint8Array, next: Uint8Array): Generator<Copy, void> {
  const index = new BaseIndex(base)
  let done = 0
  let at = 0
  /** What the last piece was moved by: after a few changed bytes, the next often is as well. */
  let moved = 0
  let hash = hashOf(next, 0)
  while (at + WINDOW <= next.length) {
    const from = isSame(base, at + moved, next, at) ? at + moved : index.find(hash)
    if (from !== undefined && isSame(base, from, next, at)) {
      const back = sameBefore({ base, from, next, at, most: at - done })
      const length = back + sameFrom(base, from, next, at)
      yield { at: at - back, from: from - back, length }
      moved = from - at
      at += length - back
      done = at
      hash = hashOf(next, at)
    } else {
      hash = rolled(hash, next, at)
      at += 1
    }
  }
}

/** Where pieces of a content are, by their hash. Of several with the same hash, the first is known. */
class BaseIndex {
  readonly #places: Int32Array
  readonly #shift: number
  /** A bit for each hash, four times as many as places: small enough for caches, which most bytes that are new ask alone. */
  readonly #bits: Uint8Array

  constructor(base: Uint8Array) {
    const digits = Math.ceil(Math.log2(base.length / STRIDE + 2))
    this.#shift = 32 - Math.min(digits, MAX_DIGITS)
    // 0 for none.
    this.#places = new Int32Array(2 ** (32 - this.#shift))
    this.#bits = new Uint8Array(this.#places.length / 2)
    let hash = hashOf(base, 0)
    for (let at = 0; at + WINDOW <= base.length; at += 1) {
      if (at % STRIDE === 0 && this.find(hash) === undefined) {
        this.#places[this.#slotOf(hash)] = at + 1
        const bit = this.#bitOf(hash)
        this.#bits[bit >>> 3] = (this.#bits[bit >>> 3] ?? 0) | (1 << (bit & 7))
      }
      hash = rolled(hash, base, at)
    }
  }

  find(hash: number): number | undefined {
    const bit = this.#bitOf(hash)
    if (((this.#bits[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) return undefined
    const place = this.#places[this.#slotOf(hash)] ?? 0
    return place === 0 ? undefined : place - 1
  }

  #bitOf(hash: number): number {
    return Math.imul(hash, 0x85ebca6b) >>> (this.#shift - 2)
  }

  #slotOf(hash: number): number {
    return Math.imul(hash, 0x9e3779b1) >>> this.#shift
  }
}

/** The hash of the window that begins there; bytes behind the end count as 0. */
function hashOf(content: Uint8Array, at: number): number {
  let hash = 0
  for (let each = at; each < at + WINDOW; each += 1) {
    hash = (Math.imul(hash, FACTOR) + (content[each] ?? 0)) | 0
  }
  return hash
}

/** The hash of the window one byte further. */
function rolled(hash: number, content: Uint8Array, at: number): number {
  const entering = content[at + WINDOW] ?? 0
  const leaving = content[at] ?? 0
  return (Math.imul(hash, FACTOR) + entering - Math.imul(leaving, LEAVING)) | 0
}

/** Whether the windows there are the same. */
function isSame(base: Uint8Array, from: number, next: Uint8Array, at: number): boolean {
  if (from < 0 || from + WINDOW > base.length) return false
  for (let each = 0; each < WINDOW; each += 1) {
    if (base[from + each] !== next[at + each]) return false
  }
  return true
}

function sameFrom(base: Uint8Array, from: number, next: Uint8Array, at: number): number {
  const most = Math.min(base.length - from, next.length - at)
  let length = WINDOW
  while (length < most && base[from + length] === next[at + length]) length += 1
  return length
}

interface Ends {
  readonly base: Uint8Array
  readonly from: number
  readonly next: Uint8Array
  readonly at: number
  readonly most: number
}

/** How many bytes before these places are the same. */
function sameBefore({ base, from, next, at, most }: Ends): number {
  let length = 0
  while (length < Math.min(most, from) && base[from - length - 1] === next[at - length - 1]) {
    length += 1
  }
  return length
}
