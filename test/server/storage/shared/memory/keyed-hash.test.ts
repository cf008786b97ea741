import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KeyedHash } from '../../../../../src/server/storage/shared/memory/keyed-hash.ts'

const KEY = Uint8Array.from([0, 1, 2, 3, 4, 5, 6, 7])

/** What the reference implementation gives with a round per word and three at the end: key 00 … 07, input 00 01 02 … of that length. */
const REFERENCE: Readonly<Record<number, string>> = {
  4: 'eb24dba0718cae05',
  5: '83e7464ecbc3bde6',
  6: 'af65e0c64df5d602',
  7: '3c052d0ab24cf18f',
  8: '3dcda8311dec7a5f',
  9: 'bd615fbfc1433bf6',
  40: '528567d59dd5ea12',
  63: '3c12c4201914c5c1',
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

for (const [length, expected] of Object.entries(REFERENCE)) {
  test(`the hash of ${length} bytes is that of the reference`, () => {
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
