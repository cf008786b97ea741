import { toStored } from './text.ts'

/** Bytes before the elements: dimensions, whether there are nulls, the type, and the length with the lowest index. */
const HEAD = 20
/** Bytes of the length of an element, which precedes it. */
const LENGTH = 4
/** The length of an integer, and the integer. */
const INTEGER = 12
/** The types of elements. */
const TYPES = { bigint: 20, text: 25 } as const
const HIGH = 2 ** 32

/**
 * Returns a parameter of type `bigint[]`, in the binary form of the protocol, which neither side has to make from text.
 * `numberOf`: the integer for an item, exact below 2^53. Throws `RangeError` for any other number.
 */
export function integers<Item>(
  items: readonly Item[],
  numberOf: (item: Item, place: number) => number,
): Buffer {
  const { buffer, view } = arrayOf('bigint', items.length, items.length * INTEGER)
  let offset = HEAD
  for (const [place, item] of items.entries()) {
    const number = numberOf(item, place)
    if (!Number.isSafeInteger(number)) throw new RangeError(`not an integer: ${number}`)
    view.setInt32(offset, INTEGER - LENGTH)
    view.setInt32(offset + LENGTH, Math.floor(number / HIGH))
    view.setUint32(offset + 2 * LENGTH, number)
    offset += INTEGER
  }
  return buffer
}

/** Returns a parameter of type `text[]` in the same form. `textOf`: the text for an item, stored as `toStored` says. */
export function texts<Item>(items: readonly Item[], textOf: (item: Item) => string): Buffer {
  const stored = items.map((item) => String(toStored(textOf(item))))
  const bytes = stored.reduce((sum, text) => sum + LENGTH + Buffer.byteLength(text), 0)
  const { buffer, view } = arrayOf('text', items.length, bytes)
  let offset = HEAD
  for (const text of stored) {
    const length = buffer.write(text, offset + LENGTH)
    view.setInt32(offset, length)
    offset += LENGTH + length
  }
  return buffer
}

function arrayOf(type: keyof typeof TYPES, length: number, bytes: number) {
  const buffer = Buffer.allocUnsafe(HEAD + bytes)
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length)
  const head = [1, 0, TYPES[type], length, 1]
  for (const [place, word] of head.entries()) view.setInt32(place * LENGTH, word)
  return { buffer, view }
}
