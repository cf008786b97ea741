import { randomBytes } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { EncodedBodies } from '../../../../src/server/http/feed/encoded-bodies.ts'

const KIB = 1024
const parts = [Buffer.from('{"releases":['), Buffer.from('"✨"'.repeat(500)), Buffer.from(']}')]
const whole = Buffer.concat(parts)

test('a body is put together, or compressed, once', async () => {
  const bodies = new EncodedBodies()
  const plain = await bodies.get('one', 'identity', parts)
  const zipped = await bodies.get('one', 'gzip', parts)
  const brotli = await bodies.get('one', 'br', parts)
  expect(plain).toEqual(whole)
  expect(gunzipSync(zipped ?? '')).toEqual(whole)
  expect(brotliDecompressSync(brotli ?? '')).toEqual(whole)
  expect(await bodies.get('one', 'identity', [])).toBe(plain)
  expect(await bodies.get('one', 'gzip', [])).toBe(zipped)
  expect(await bodies.get('one', 'br', [])).toBe(brotli)
})

test('callers that come while a body is compressed get the same', async () => {
  const bodies = new EncodedBodies({ waiting: 1 })
  const [first, ...others] = await Promise.all(
    Array.from({ length: 5 }, () => bodies.get('one', 'gzip', parts)),
  )
  for (const other of others) expect(other).toBe(first)
})

test('the cache stays within its bound and keeps what was used last', async () => {
  const bodies = new EncodedBodies({ kept: 64 * KIB })
  const often = await bodies.get('often', 'identity', parts)
  for (let index = 0; index < 40; index++) {
    await bodies.get(`${index}`, index % 2 === 0 ? 'gzip' : 'identity', [randomBytes(10 * KIB)])
    expect(await bodies.get('often', 'identity', [])).toBe(often)
    expect(bodies.bytes).toBeLessThanOrEqual(64 * KIB)
  }
  expect(bodies.bytes).toBeGreaterThan(48 * KIB)
  expect(await bodies.get('0', 'gzip', parts)).not.toEqual(undefined)
  expect(gunzipSync((await bodies.get('1', 'gzip', parts)) ?? '')).toEqual(whole)
})

test('even the shortest bodies are counted', async () => {
  const bodies = new EncodedBodies({ kept: 8 * KIB })
  const first = await bodies.get('0', 'identity', parts.slice(0, 1))
  for (let index = 1; index < 20; index++) {
    await bodies.get(`${index}`, 'identity', parts.slice(0, 1))
  }
  expect(await bodies.get('0', 'identity', parts.slice(0, 1))).not.toBe(first)
})

test('a body that is too large is left to its parts, and so is one too many', async () => {
  const bodies = new EncodedBodies({ largest: 4 * KIB, largestPlain: KIB, waiting: 1 })
  expect(await bodies.get('one', 'identity', parts)).toBeUndefined()
  expect(await bodies.get('two', 'gzip', [Buffer.alloc(5 * KIB)])).toBeUndefined()
  const waits = bodies.get('three', 'gzip', parts)
  expect(await bodies.get('four', 'gzip', parts)).toBeUndefined()
  expect(gunzipSync((await waits) ?? '')).toEqual(whole)
  expect(await bodies.get('four', 'gzip', parts)).toBeInstanceOf(Buffer)
})
