// @module-tag long

import { createHook } from 'node:async_hooks'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../support/builders/folders.ts'
import { needs } from '../../../support/tools.ts'
import { APP_UPDATE, appImage, fixture, inspected, library } from './inspected.ts'
import { tarOf } from './tar.ts'
import { asProgram, installer, sign } from './windows-files.ts'

const RESOURCES = 'App.app/Contents/Resources'
const YML = `${RESOURCES}/app-update.yml`
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
  dmg: () => Buffer.from(`${'x'.repeat(600)}${'koly'.padEnd(512, '\0')}`),
  deb: () => debOf('gz', gzipSync(tarOf({ 'opt/App/resources/app-update.yml': APP_UPDATE }))),
}

/** What is not called as its seed. */
const KINDS: Readonly<Record<string, string>> = {
  ...{ tar: 'tar_gz', squashfs: 'appimage', '7z': 'nsis', zip: 'nupkg' },
}

/** A package of Debian with these files, compressed by that ending, and little else. */
function debOf(end: string, data: Buffer): Buffer {
  const members = { 'debian-binary': Buffer.from('2.0\n'), [`data.tar.${end}`]: data }
  const packed = Object.entries(members).flatMap(([name, bytes]) => [
    Buffer.from(`${name.padEnd(48)}${String(bytes.length).padEnd(10)}\`\n`),
    ...[bytes, Buffer.alloc(bytes.length % 2)],
  ])
  return Buffer.concat([Buffer.from('!<arch>\n'), ...packed])
}

/** An installer with nothing but the headers of its program. */
function nsis(archive: Buffer): Buffer {
  const pe = Buffer.alloc(512)
  pe.write('MZ')
  pe.writeUInt32LE(64, 0x3c)
  pe.write('PE\0\0', 64)
  pe.writeUInt16LE(0x14c, 68)
  // Of its only section, which is empty, the place is where the installer begins.
  pe.writeUInt16LE(1, 70)
  pe.writeUInt32LE(512, 64 + 24 + 96 + 20)
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

test.for(Object.keys(SEEDS))('%s cut off at a thousand places', async (name) => {
  const seed = SEEDS[name]?.() ?? Buffer.alloc(0)
  expect((await inspected(seed)).facts.kind).toBe(KINDS[name.replace(/.*\./, '')] ?? name)
  const step = Math.ceil(seed.length / 1_000)
  for (let end = 0; end < seed.length; end += step) await mustEnd(seed.subarray(0, end))
})

test(
  'a signature with any bytes changed is read, or damaged',
  needs('openssl', 'osslsigncode'),
  async () => {
    const path = join(temporaryFolder(), 'app.exe')
    writeFileSync(path, asProgram(library('win32-x64')))
    const signed = readFileSync(sign(path))
    const from = signed.lastIndexOf(Buffer.from('06092a864886f70d010702', 'hex'))
    expect(from).toBeGreaterThan(0)
    const seen = new Set<string>()
    const change = fc.record({
      at: fc.integer({ min: from, max: signed.length - 1 }),
      to: fc.nat(255),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 2 }), async (changes) => {
        const bytes = Buffer.from(signed)
        for (const { at, to } of changes) bytes.writeUInt8(to, at)
        const { publisher, notes } = (await inspected(bytes)).facts
        seen.add(String(notes.some(({ part }) => part === 'signature') || publisher.isIntact))
      }),
      { numRuns: 200 },
    )
    expect([...seen]).toEqual(expect.arrayContaining(['true', 'false']))
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

/** Zeros, and behind them what is looked for: 10 KB that become 64 MiB, or 2 of which the fixture becomes 16. */
const BOMBS: Readonly<Record<string, (zeros: Buffer) => Buffer>> = {
  'deb (gzip)': (zeros) => debOf('gz', gzipSync(tarOf({ zeros, [YML]: APP_UPDATE }))),
  'deb (zstd)': (zeros) => debOf('zst', zstdCompressSync(tarOf({ zeros, [YML]: APP_UPDATE }))),
  '7z (LZMA)': () => nsis(fixture('bomb.7z')),
}

test.for(Object.keys(BOMBS))('%s: zeros before a file stop at the limit', async (name) => {
  const { facts, read } = await inspected(BOMBS[name]?.(Buffer.alloc(64 * MIB)) ?? ZIP, LIMITS)
  expect(facts.notes).toMatchObject([{ code: 'over_limit', limit: 'decompressed' }])
  expect(facts).not.toHaveProperty('electronUpdate')
  expect(read).toBeLessThan(100_000)
})

test(
  'an installer of NSIS that is compressed as one stops at the limit',
  needs('makensis'),
  async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'zeros.bin'), Buffer.alloc(64 * MIB))
    const path = installer(folder, 'SetCompressor /SOLID lzma', 'File zeros.bin')
    const { facts } = await inspected(readFileSync(path), LIMITS)
    expect(facts.notes).toEqual([overLimit('contents', 'decompressed')])
  },
)

test('members that are opened and not read to their end are closed one after the other', async () => {
  const files = Array.from({ length: 400 }, (_, at) => [`${at}.exe`, new Uint8Array(100_000)])
  const zip = Buffer.from(zipSync(Object.fromEntries(files), { level: 1 }))
  const open = new Set<number>()
  let most = 0
  const hook = createHook({
    init(id, type) {
      if (type === 'ZLIB') most = Math.max(most, open.add(id).size)
    },
    destroy: (id) => open.delete(id),
  }).enable()
  const { facts } = await inspected(zip, { decompressed: 1_024 * MIB })
  hook.disable()
  expect(facts.notes).toEqual([])
  expect(most).toBeGreaterThan(0)
  // Of those that are closed, it hears a little later.
  expect(most).toBeLessThan(200)
})

test('texts that overlap, comments without an end and a million members take no time', async () => {
  const plist = async (bytes: Uint8Array) =>
    (await inspected(Buffer.from(zipSync({ 'App.app/Contents/Info.plist': bytes })))).facts
  expect((await plist(strToU8(`<dict>${'<!--'.repeat(250_000)}`))).notes).toEqual([
    { code: 'damaged', part: 'version' },
  ])
  expect((await plist(overlapping(9_000))).versions).toEqual([])
  // Not even JSON.
  const others = '{,'.repeat(500_000) + '}'.repeat(500_000)
  const text = `{"files":{"a":${others},"package.json":{"size":19,"offset":"0"}}}`
  const { facts } = await inspected(asarOf(text, Buffer.from('{"version":"3.0.0"}')))
  expect(facts).toMatchObject({ version: '3.0.0', notes: [] })
})

/** A binary property list, of which every text is the rest of the file. */
function overlapping(count: number): Buffer {
  const objects = Buffer.alloc(800_000, Buffer.from('5f1200080000', 'hex'))
  const [references, places] = [Buffer.alloc(count * 4), Buffer.alloc(count * 6 + 3)]
  const start = 8 + objects.length
  places.writeUIntBE(start, 0, 3)
  for (let at = 0; at < count * 2; at += 1) {
    references.writeUInt16BE(at + 1, at * 2)
    places.writeUIntBE(8 + 6 * at, 3 + at * 3, 3)
  }
  const dictionary = Buffer.from([0xdf, 0x11, count >> 8, count & 0xff])
  const trailer = Buffer.alloc(32)
  trailer.set([3, 2], 6)
  trailer.writeBigUInt64BE(BigInt(start + dictionary.length + references.length), 24)
  return Buffer.concat([Buffer.from('bplist00'), objects, dictionary, references, places, trailer])
}

test('sections of a program that overlap are searched within the limit', async () => {
  const program = asProgram(library('win32-x64'))
  const table =
    program.readUInt32LE(0x3c) + 24 + program.readUInt16LE(program.readUInt32LE(0x3c) + 20)
  const sections = Array.from({ length: 6 }, (_, at) => table + at * 40)
  for (const at of sections) {
    program.write('.rdata\0\0', at, 'latin1')
    program.writeUInt32LE(program.length, at + 16)
    program.writeUInt32LE(0, at + 20)
  }
  const zip = Buffer.from(zipSync({ 'App.exe': new Uint8Array(program) }))
  const { facts } = await inspected(zip, { decompressed: 3 * program.length })
  expect(facts.notes).toContainEqual(overLimit('tauri_config', 'decompressed'))
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
  const files = Buffer.alloc(80 * MIB + 19)
  files.write('{"version":"3.0.0"}', 80 * MIB)
  const asar = asarOf(JSON.stringify(header), files)
  const zip = Buffer.from(zipSync({ [`${RESOURCES}/app.asar`]: [asar, { level: 1 }] }))
  expect((await inspected(zip)).facts).toMatchObject({ version: '3.0.0', notes: [] })
})

/** An archive of Electron with such a header. */
function asarOf(header: string, files: Buffer): Buffer {
  const text = Buffer.from(header)
  const padded = Math.ceil(text.length / 4) * 4
  const start = Buffer.alloc(16 + padded)
  for (const [index, value] of [4, padded + 8, padded + 4, text.length].entries()) {
    start.writeUInt32LE(value, index * 4)
  }
  text.copy(start, 16)
  return Buffer.concat([start, files])
}

function at(offset: number, size: number) {
  return { offset: String(offset), size }
}
