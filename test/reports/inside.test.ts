import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { inspected, library } from '../server/preflight/inspect/inspected.ts'
import { withResource } from '../server/preflight/inspect/windows-files.ts'
import { needs } from '../support/tools.ts'

// Inputs of reports about other products: see README.md in this folder.

/** An archive of Electron with this header, and lengths that fit it unless another one is given. */
function asar(header: string, length = Buffer.byteLength(header)): Uint8Array {
  const sizes = Buffer.alloc(16)
  for (const [at, size] of [4, length + 8, length + 4, length].entries()) {
    sizes.writeUInt32LE(size, at * 4)
  }
  return Buffer.concat([sizes, Buffer.from(header), Buffer.alloc(64)])
}

const withSize = (size: number) =>
  asar(JSON.stringify({ files: { 'package.json': { size, offset: '0' } } }))

test.each([
  ['a size below zero', withSize(-1_000), 'damaged'],
  ['a size beyond every file', withSize(6.62534095087035e306), 'damaged'],
  ['a header of 1,110,852,934 bytes', asar('{}', 1_110_852_934), 'over_limit'],
  ['a header that is encrypted', asar('3f5P9- fr=7&*#[#i(@W=4]B#j'), 'damaged'],
  ['a header that ends early', asar('{"files":{"package.json":{'), 'damaged'],
  ['no header', strToU8('[]'), 'damaged'],
])('an app is read although its archive has %s, which is named', async (_what, archive, code) => {
  const feed = strToU8('url: https://updates.example.com')
  // As Compress-Archive of Windows PowerShell 5 writes paths.
  const files = { 'resources\\app.asar': archive, 'resources\\app-update.yml': feed }
  const { facts } = await inspected(Buffer.from(zipSync(files, { level: 0 })))
  expect(facts.electronUpdate).toEqual({ url: 'https://updates.example.com' })
  expect(facts.notes).toEqual([expect.objectContaining({ code, part: 'version' })])
})

/** What is unusual of a block: the length of its value as it is written, and bytes that fill it up. */
interface Odd {
  readonly length?: number
  readonly filled?: number
}

/** A block of VS_VERSIONINFO. */
function block(key: string, value: Buffer, children: readonly Buffer[], odd: Odd = {}): Buffer {
  const { length = value.length, filled = 0 } = odd
  const head = Buffer.alloc(6)
  let bytes = aligned(Buffer.concat([head, Buffer.from(`${key}\0`, 'utf16le')]))
  bytes = Buffer.concat([bytes, value])
  for (const child of children) bytes = Buffer.concat([aligned(bytes), child])
  bytes = Buffer.concat([bytes, Buffer.alloc(filled)])
  bytes.writeUInt16LE(bytes.length)
  bytes.writeUInt16LE(length, 2)
  return bytes
}

function aligned(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])
}

/** A text, of which the length is in characters. */
function named(key: string, value: string, length = value.length + 1): Buffer {
  const bytes = block(key, Buffer.from(`${value}\0`, 'utf16le'), [], { length })
  bytes.writeUInt16LE(1, 4)
  return bytes
}

function versions(texts: readonly Buffer[], odd: Odd = {}, oddTable: Odd = {}): Buffer {
  const numbers = Buffer.alloc(52)
  numbers.writeUInt32LE(0xfeef04bd)
  for (const [index, part] of [3, 2, 0, 4].entries()) numbers.writeUInt16LE(part, 16 + index * 2)
  const none = Buffer.alloc(0)
  const table = block('040904b0', none, texts, oddTable)
  return block('VS_VERSION_INFO', numbers, [block('StringFileInfo', none, [table])], odd)
}

const PRODUCT = named('ProductVersion', '2.3.4')

test.each([
  ['texts that are empty', versions([named('PrivateBuild', '', 0), PRODUCT, named('Other', '')])],
  ['texts whose length is in bytes', versions([named('ProductVersion', '2.3.4', 12)])],
  ['numbers whose length is in characters', versions([PRODUCT], { length: 26 })],
  ['numbers of which the length is missing', versions([PRODUCT], { length: 0 })],
  ['zeros behind the last text', versions([PRODUCT], {}, { filled: 12 })],
  ['zeros behind the last block', versions([PRODUCT], { filled: 8 })],
])('a program with %s says its version', needs('app-builder-lib'), async (_what, bytes) => {
  const program = withResource(library('win32-x64'), { type: 16, id: 1, bytes })
  const { facts } = await inspected(program)
  expect(facts).toMatchObject({
    versions: [
      { source: 'product_version', text: '2.3.4' },
      { source: 'fixed_version', text: '2.3.4.0' },
    ],
    notes: [],
  })
})

test('a program for several processors says all of them, with wide offsets and in any order', async () => {
  const programs = [library('darwin-x64'), library('darwin-arm64')]
  // `arm64e`, with the flag that Apple sets.
  programs[1]?.writeUInt32LE(0x8000_0002, 8)
  for (const [magic, entry] of [
    [0xcafebabe, 20],
    [0xcafebabf, 32],
  ] as const) {
    const header = Buffer.alloc(4_096)
    header.writeUInt32BE(magic)
    header.writeUInt32BE(programs.length, 4)
    let offset = header.length
    for (const [index, program] of programs.toReversed().entries()) {
      const at = 8 + (programs.length - 1 - index) * entry
      if (entry === 20) {
        header.writeUInt32BE(offset, at + 8)
        header.writeUInt32BE(program.length, at + 12)
      } else {
        header.writeBigUInt64BE(BigInt(offset), at + 8)
        header.writeBigUInt64BE(BigInt(program.length), at + 16)
      }
      offset += program.length
    }
    const bytes = Buffer.concat([header, ...programs.toReversed()])
    const plist = '<plist><dict><key>CFBundleVersion</key><string>1</string></dict></plist>'
    const files = { 'A.app/Contents/MacOS/A': bytes, 'A.app/Contents/Info.plist': strToU8(plist) }
    const { facts } = await inspected(Buffer.from(zipSync(files, { level: 0 })))
    expect(facts.arch).toEqual(['aarch64', 'x86_64'])
  }
})
