// @module-tag long

import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { APP_UPDATE, appImage, fixture, inspected, library } from './inspected.ts'
import { tarOf } from './tar.ts'

const RESOURCES = 'App.app/Contents/Resources'
const MIB = 1_024 ** 2
const LIMITS = { bytes: 4 * MIB, decompressed: 8 * MIB, entries: 10_000, milliseconds: 20_000 }

const ZIP = Buffer.from(
  zipSync({
    [`${RESOURCES}/app-update.yml`]: APP_UPDATE,
    [`${RESOURCES}/app.asar`]: new Uint8Array(fixture('app.asar')),
    'App.app/Contents/Info.plist': new Uint8Array(fixture('Info.plist')),
    'App.nuspec': strToU8('<id>App</id><version>1.0.0</version>'),
  }),
)

/** Files of every format, small enough that most changes hit what is read. */
const SEEDS: Readonly<Record<string, () => Buffer>> = {
  zip: () => ZIP,
  tar: () => gzipSync(tarOf({ [`${RESOURCES}/app-update.yml`]: APP_UPDATE })),
  asar: () => fixture('app.asar'),
  'plain.squashfs': () => appImage('plain.squashfs'),
  'xz.squashfs': () => appImage('xz.squashfs'),
  'electron-builder.7z': () => nsis(fixture('electron-builder.7z')),
  'solid.7z': () => nsis(fixture('solid.7z')),
  msi: () => fixture('app.msi'),
  pe: () => library('win32-x64').subarray(0, 4_096),
  elf: () => library('linux-x64').subarray(0, 4_096),
  macho: () => library('darwin-arm64').subarray(0, 8_192),
}

/** An installer with nothing but the headers of its program. */
function nsis(archive: Buffer): Buffer {
  const pe = Buffer.alloc(512)
  pe.write('MZ')
  pe.writeUInt32LE(64, 0x3c)
  pe.write('PE\0\0', 64)
  pe.writeUInt16LE(0x14c, 68)
  pe.writeUInt16LE(96, 84)
  pe.writeUInt16LE(0x10b, 88)
  const files = Buffer.concat([sized(Buffer.alloc(300), 2 ** 31), sized(archive, 0)])
  const first = Buffer.alloc(28)
  first.write('efbeadde4e756c6c736f6674496e7374', 4, 'hex')
  first.writeUInt32LE(28 + files.length, 24)
  return Buffer.concat([pe, first, files])
}

function sized(bytes: Buffer, flag: number): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32LE(bytes.length + flag)
  return Buffer.concat([size, bytes])
}

async function mustEnd(bytes: Buffer): Promise<void> {
  const { read } = await inspected(bytes, LIMITS)
  expect(read).toBeLessThanOrEqual(LIMITS.bytes)
}

test.for(Object.keys(SEEDS))(
  '%s with any bytes changed, or cut off, is read within the limits and throws nothing',
  async (name) => {
    const seed = SEEDS[name]?.() ?? Buffer.alloc(0)
    const value = fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.nat(255))
    const change = fc.record({
      at: fc.nat(seed.length - 1),
      bytes: fc.array(value, { minLength: 1, maxLength: 8 }),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 6 }),
        fc.option(fc.nat(seed.length)),
        async (changes, end) => {
          const bytes = Buffer.from(seed)
          for (const { at, bytes: changed } of changes) Buffer.from(changed).copy(bytes, at)
          await mustEnd(bytes.subarray(0, end ?? bytes.length))
        },
      ),
      { numRuns: 150 },
    )
  },
)

test('any bytes behind the start of any format throw nothing', async () => {
  const magics = [
    'MZ',
    '\x7fELF',
    '!<arch>\n',
    'PK\x03\x04',
    '\x1f\x8b\x08\0',
    '\xed\xab\xee\xdb',
    '\xca\xfe\xba\xbe',
    '\xcf\xfa\xed\xfe',
    '\x04\0\0\0',
    '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1',
    '',
  ]
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...magics),
      fc.uint8Array({ maxLength: 400 }),
      async (magic, rest) => {
        await mustEnd(Buffer.concat([Buffer.from(magic, 'latin1'), rest]))
      },
    ),
    { numRuns: 1_000 },
  )
})

test('what failed to be read is thrown as it is', async () => {
  const failure = new Error('connection lost')
  const { inspectFile } = await import('../../../../src/server/preflight/inspect/inspect.ts')
  const file = { name: 'a.zip', size: 1_000, read: () => Promise.reject(failure) }
  await expect(inspectFile(file)).rejects.toBe(failure)
})

const overLimit = (part: string, limit: string) => ({ code: 'over_limit', part, limit })

test('a small file that decompresses to a large one stops at the limit', async () => {
  const bomb = new Uint8Array(64 * MIB)
  const zip = Buffer.from(
    zipSync({ [`${RESOURCES}/app.asar`]: bomb, [`${RESOURCES}/app-update.yml`]: bomb }),
  )
  const { facts } = await inspected(zip, LIMITS)
  // A text is not decompressed at all if it is too long.
  expect(facts.notes).toContainEqual(overLimit('electron_update', 'bytes'))
  expect(facts).not.toHaveProperty('electronUpdate')
  const tar = gzipSync(tarOf({ 'large.bin': bomb, [`${RESOURCES}/app-update.yml`]: APP_UPDATE }))
  expect((await inspected(tar, LIMITS)).facts).toEqual({
    ...{ kind: 'tar_gz', versions: [], publisher: {} },
    notes: [overLimit('contents', 'decompressed')],
  })
})

test('packages in packages stop at the limit', async () => {
  let zip = zipSync({ 'App.nuspec': strToU8('<version>1.0.0</version>') })
  for (let depth = 0; depth < 10; depth += 1) zip = zipSync({ 'App-full.nupkg': zip }, { level: 0 })
  const { facts } = await inspected(Buffer.from(zip), LIMITS)
  expect(facts.notes).toEqual([overLimit('contents', 'nesting')])
  expect(facts.versions).toEqual([])
})

test('more members, bytes or time than the limit are not read', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`${index}`, strToU8('1')]),
  )
  const zip = Buffer.from(zipSync(files))
  for (const [limit, value] of [
    ['entries', 99],
    ['bytes', 100],
    ['milliseconds', -1],
  ] as const) {
    const { facts, read } = await inspected(zip, { [limit]: value })
    expect(facts.notes.map((note) => 'limit' in note && note.limit)).toEqual([limit])
    if (limit === 'bytes') expect(read).toBeLessThanOrEqual(100)
  }
})

test('a member that lies about its size is damaged, and nothing is said of what is missing', async () => {
  for (const lie of [APP_UPDATE.length + 1, 2 ** 32 - 2]) {
    const zip = Buffer.from(zipSync({ [`${RESOURCES}/app-update.yml`]: APP_UPDATE }))
    zip.writeUInt32LE(lie, zip.indexOf('PK\x01\x02', 'latin1') + 24)
    const { facts } = await inspected(zip, LIMITS)
    expect(facts).not.toHaveProperty('electronUpdate')
    expect(facts.notes).toHaveLength(1)
  }
})

test('a folder that is inside itself ends', async () => {
  const image = appImage('plain.squashfs')
  const { facts: before } = await inspected(image)
  expect(before).toMatchObject({ version: '2.3.4', notes: [] })
  // The place of the folder `resources` is that of the root.
  const entry = image.lastIndexOf('resources') - 8
  const root = image.readUInt16LE(64 + 32)
  image.writeUInt16LE(root, entry)
  expect((await inspected(image)).facts).toMatchObject({ versions: [], notes: [] })
  expect((await inspected(image, { entries: 3 })).facts.notes).toEqual([
    overLimit('contents', 'entries'),
  ])
})

test('a circle of sectors ends', async () => {
  const msi = fixture('app.msi')
  const table = (msi.readUInt32LE(76) + 1) * 2 ** msi.readUInt16LE(30)
  const folder = msi.readUInt32LE(48)
  msi.writeUInt32LE(folder, table + folder * 4)
  expect((await inspected(msi, LIMITS)).facts.notes).toEqual([overLimit('file', 'entries')])
})

test('what is far behind in a large file is read without keeping what is before', async () => {
  const header = { files: { 'a.bin': at(0, 80 * MIB), 'package.json': at(80 * MIB, 19) } }
  const text = Buffer.from(JSON.stringify(header))
  const padded = Math.ceil(text.length / 4) * 4
  const asar = Buffer.alloc(16 + padded + 80 * MIB + 19)
  for (const [index, value] of [4, padded + 8, padded + 4, text.length].entries()) {
    asar.writeUInt32LE(value, index * 4)
  }
  text.copy(asar, 16)
  asar.write('{"version":"3.0.0"}', asar.length - 19)
  const zip = Buffer.from(zipSync({ [`${RESOURCES}/app.asar`]: [asar, { level: 1 }] }))
  expect((await inspected(zip)).facts).toMatchObject({ version: '3.0.0', notes: [] })
})

function at(offset: number, size: number) {
  return { offset: String(offset), size }
}
