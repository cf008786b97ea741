import { expect, test } from 'vitest'
import { sevenZipEntries } from '../../../../src/server/preflight/inspect/archives/seven-zip/seven-zip.ts'
import { Budget } from '../../../../src/server/preflight/inspect/budget.ts'
import { INSPECT_LIMITS } from '../../../../src/server/preflight/inspect/facts.ts'
import { memorySource } from '../../../../src/server/preflight/inspect/source.ts'
import { fixture } from './inspected.ts'

/** Bytes of jumps and calls of x86 that overlap each other, as the fixture has them in `calls.bin`. */
function calls(): Buffer {
  const codes = [0xe8, 0xe9, 0, 0xff, 1, 0x10, 0xe8, 0]
  let state = 1n
  const bytes = Array.from({ length: 3_000 }, () => {
    state = (state * 1_103_515_245n + 12_345n) % 2_147_483_648n
    return codes[Number(state >> 16n) % 8] ?? 0
  })
  return Buffer.from(bytes)
}

async function contentsOf(name: string): Promise<Record<string, Buffer>> {
  const contents: Record<string, Buffer> = {}
  const entries = sevenZipEntries(memorySource(fixture(name)), new Budget(INSPECT_LIMITS))
  for await (const { path, size, open } of entries) {
    contents[path] = await (await open()).read(0, size)
  }
  return contents
}

test('what 7-Zip makes of jumps of programs is turned back', async () => {
  const contents = await contentsOf('electron-builder.7z')
  expect(contents['calls.bin']).toEqual(calls())
  expect(contents['resources/app.asar']).toEqual(fixture('app.asar'))
})

test('files that are compressed as one are read in order, with a header that is compressed', async () => {
  const contents = await contentsOf('solid.7z')
  expect(Object.keys(contents)).toHaveLength(3)
  expect(contents['resources/app.asar']).toEqual(fixture('app.asar'))
})

test('four streams for jumps are not read', async () => {
  await expect(contentsOf('bcj2.7z')).rejects.toMatchObject({
    why: { code: 'not_read', format: 'seven_zip_streams' },
  })
})
