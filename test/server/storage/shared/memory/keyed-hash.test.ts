import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KeyedHash } from '../../../../../src/server/storage/shared/memory/keyed-hash.ts'

const KEY = Uint8Array.from([0, 1, 2, 3, 4, 5, 6, 7])

/** Published with the reference implementation: key 00 … 07, input 00 01 02 … of that length. */
const PUBLISHED: Readonly<Record<number, string>> = {
  4: 'd5e78a175be52ea1',
  5: 'cb9d7c3f2f3db580',
  6: 'ce3e91358aa2bc25',
  7: 'ff202728b07bc684',
  8: 'edfee820bce4858c',
  9: '5b51cccc13888307',
}

function hex({ first, second }: KeyedHash): string {
  const bytes = Buffer.alloc(8)
  bytes.writeInt32LE(first, 0)
  bytes.writeInt32LE(second, 4)
  return bytes.toString('hex')
}

function hashOf(key: Uint8Array, prefix: number, text: string): string {
  const hash = new KeyedHash(key)
  hash.compute(prefix, text)
  return hex(hash)
}

for (const [length, expected] of Object.entries(PUBLISHED)) {
  test(`the hash of ${length} bytes is the published one`, () => {
    const bytes = Buffer.from(Array.from({ length: Number(length) }, (_, index) => index))
    const text = bytes.subarray(4).toString('latin1')
    expect(hashOf(KEY, bytes.readInt32LE(0), text)).toBe(expected)
  })
}

const latin1 = fc.string({
  unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
  maxLength: 300,
})

test('earlier hashes have no influence', () => {
  const hash = new KeyedHash(KEY)
  fc.assert(
    fc.property(fc.integer(), latin1, (prefix, text) => {
      hash.compute(prefix, text)
      expect(hex(hash)).toBe(hashOf(KEY, prefix, text))
    }),
  )
})

test('the key, the prefix and every character count', () => {
  const other = Uint8Array.from([0, 1, 2, 3, 4, 5, 6, 8])
  fc.assert(
    fc.property(fc.integer(), latin1, fc.nat(), (prefix, text, position) => {
      const hash = hashOf(KEY, prefix, text)
      expect(hashOf(other, prefix, text)).not.toBe(hash)
      expect(hashOf(KEY, prefix ^ 1, text)).not.toBe(hash)
      expect(hashOf(KEY, prefix, `${text}\0`)).not.toBe(hash)
      if (text === '') return
      const at = position % text.length
      const changed = String.fromCharCode(text.charCodeAt(at) ^ 1)
      expect(hashOf(KEY, prefix, text.slice(0, at) + changed + text.slice(at + 1))).not.toBe(hash)
    }),
  )
})

test('two hashes without a key draw different ones', () => {
  const [one, other] = [new KeyedHash(), new KeyedHash()]
  one.compute(1, 'device')
  other.compute(1, 'device')
  expect(hex(one)).not.toBe(hex(other))
})
