/** Bytes before the elements: dimensions, whether there are nulls, the type, and the length with the lowest index. */
const HEAD = 20
/** The length of an element, and the element. */
const ELEMENT = 12
/** The type of `bigint`. */
const BIGINT = 20
const HIGH = 2 ** 32

/**
 * Returns a parameter of type `bigint[]`, in the binary form of the protocol, which neither side has to make from text.
 * `numberOf`: the integer for an item, exact below 2^53.
 */
export function integers<Item>(
  items: readonly Item[],
  numberOf: (item: Item, place: number) => number,
): Buffer {
  const buffer = Buffer.allocUnsafe(HEAD + items.length * ELEMENT)
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.length)
  view.setInt32(0, 1)
  view.setInt32(4, 0)
  view.setInt32(8, BIGINT)
  view.setInt32(12, items.length)
  view.setInt32(16, 1)
  let offset = HEAD
  for (const [place, item] of items.entries()) {
    const number = numberOf(item, place)
    if (!Number.isSafeInteger(number)) throw new RangeError(`not an integer: ${number}`)
    view.setInt32(offset, 8)
    view.setInt32(offset + 4, Math.floor(number / HIGH))
    view.setUint32(offset + 8, number)
    offset += ELEMENT
  }
  return buffer
}
