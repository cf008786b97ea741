import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BlockMap } from '../../../src/server/hosting/block-maps/block-map.ts'
import { temporaryFolder } from '../../support/builders/folders.ts'
import { noise } from '../../support/builders/noise.ts'
import { needs } from '../../support/tools.ts'

/** The block map of a content that arrives in pieces of that many bytes, as JSON. */
function mapOf(content: Buffer, piece = 64 * 1_024): string {
  const map = new BlockMap()
  for (let at = 0; at < content.length; at += piece) map.add(content.subarray(at, at + piece))
  const made = gunzipSync(map.end()).toString()
  expect(map.bytes).toBe(content.length)
  return made
}

/** The same by electron-builder. */
async function original(content: Buffer): Promise<string> {
  const require = createRequire(join(import.meta.dirname, '../../../build/package.json'))
  const { buildBlockMap } = require('app-builder-lib/out/targets/blockmap/blockmap.js')
  const file = join(temporaryFolder(), 'Editor.exe')
  writeFileSync(file, content)
  await buildBlockMap(file, 'gzip', `${file}.blockmap`)
  return gunzipSync(readFileSync(`${file}.blockmap`)).toString()
}

// The sums are of what app-builder-lib 26.17.0 makes of the same.
test.each([
  ['nothing', Buffer.alloc(0), 'f2b5892ba320'],
  ['zeros', Buffer.alloc(1_000_000), '9541ef487598'],
  ['noise', noise(1_000_000, 'one'), 'b9c2c148ebba'],
])('the block map of %s is that of electron-builder', (_, content, sum) => {
  const found = createHash('sha256').update(mapOf(content)).digest('hex')
  expect(found.slice(0, 12)).toBe(sum)
})

test('every content has the block map that electron-builder makes, whatever its pieces', {
  ...needs('app-builder-lib'),
}, async () => {
  const sizes = [1, 8_127, 8_128, 8_191, 8_192, 8_193, 32_767, 32_768, 32_769]
  const size = fc.oneof(fc.nat(300_000), fc.constantFrom(...sizes))
  // Repeated, there are blocks that end at the largest size, and those that are the same.
  const length = fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 20_000, max: 300_000 }))
  const piece = fc.integer({ min: 1_000, max: 100_000 })
  await fc.assert(
    fc.asyncProperty(size, length, fc.string(), piece, async (bytes, period, seed, each) => {
      const content = Buffer.alloc(bytes, noise(period, seed))
      expect(mapOf(content, each)).toBe(await original(content))
    }),
    { numRuns: 40 },
  )
})

test('a change of some bytes changes a few blocks, also where it moves what follows', () => {
  const before = noise(4_000_000, 'app')
  const after = Buffer.concat([
    before.subarray(0, 2_000_000),
    noise(100, 'x'),
    before.subarray(2_000_000),
  ])
  const blocks = (content: Buffer): string[] => JSON.parse(mapOf(content)).files[0].checksums
  const known = new Set(blocks(before))
  expect(blocks(after).filter((each) => !known.has(each)).length).toBeLessThan(5)
})
