import { gzipSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { FEED, fixture, inspected, library } from './inspected.ts'
import { tarOf } from './tar.ts'

const IDENTIFIER = 'com.example.app'
const FACTS = {
  arch: ['aarch64', 'x86_64'],
  version: '2.3.4',
  versions: [
    { source: 'package_json', text: '2.3.4' },
    { source: 'info_plist', text: '2.3.4' },
    { source: 'bundle_version', text: '234' },
  ],
  appId: IDENTIFIER,
  minimumSystemVersion: '14.0',
  electronUpdate: FEED,
  sparkle: { feedUrl: 'https://updates.example.com/appcast.xml', publicEdKey: 'a2V5' },
  notes: [],
}

const XML = `<?xml version="1.0"?><plist version="1.0"><dict>
  <key>Nested</key><dict><key>CFBundleVersion</key><string>9</string></dict>
  <!-- <key>CFBundleVersion</key><string>8</string> --><key>Empty</key><array/>
  <key>CFBundleIdentifier</key><string>${IDENTIFIER}</string>
  <key>CFBundleShortVersionString</key><string>2.3.4</string>
  <key>CFBundleVersion</key><string>234</string>
  <key>LSMinimumSystemVersion</key><string>&#49;4.0</string>
  <key>SUFeedURL</key><string>https://updates.example.com/appcast.xml</string>
  <key>SUPublicEDKey</key><string>a2V5</string>
</dict></plist>`

/** An app for both architectures. `teams`: who signed each, null for nobody. */
function app(plist: Uint8Array, teams: readonly [string | null, string | null]) {
  const contents = 'App.app/Contents'
  return {
    [`${contents}/Info.plist`]: plist,
    [`${contents}/MacOS/App`]: universal([
      signed(library('darwin-arm64'), teams[0]),
      signed(library('darwin-x64'), teams[1]),
    ]),
    [`${contents}/Frameworks/Helper.app/Contents/Info.plist`]: strToU8('<plist>'),
    [`${contents}/Resources/app-update.yml`]: strToU8(JSON.stringify(FEED)),
    [`${contents}/Resources/app.asar`]: new Uint8Array(fixture('app.asar')),
  }
}

test('an app in a zip says what it is, who signed it, and where its updates are', async () => {
  const files = app(fixture('Info.plist'), ['TEAM123456', 'TEAM123456'])
  const { facts } = await inspected(Buffer.from(zipSync(files, { level: 1 })))
  expect(facts).toEqual({ ...FACTS, kind: 'zip', publisher: { appleTeam: 'TEAM123456' } })
})

test('an app in a tar is read in order, also by long names', async () => {
  const files = app(strToU8(XML), [null, null])
  const { facts } = await inspected(gzipSync(tarOf(files), { level: 1 }))
  expect(facts).toEqual({ ...FACTS, kind: 'tar_gz', publisher: { appleTeam: null } })
})

test('the build number of an app without Sparkle says nothing, nor do two teams that signed a half each', async () => {
  const files = app(strToU8(XML.replaceAll('SU', 'Other')), ['TEAM123456', 'TEAM999999'])
  const { facts } = await inspected(Buffer.from(zipSync(files, { level: 0 })))
  expect(facts.publisher).toEqual({ appleTeam: null })
  expect(facts.versions.map(({ source }) => source)).toEqual(['package_json', 'info_plist'])
  expect(facts).not.toHaveProperty('sparkle')
})

test('a disk image is not read', async () => {
  const image = Buffer.concat([Buffer.alloc(4_096), Buffer.from('koly'), Buffer.alloc(508)])
  expect((await inspected(image)).facts).toEqual({
    ...{ kind: 'dmg', versions: [], publisher: {} },
    notes: [{ code: 'not_read', part: 'file', format: 'dmg' }],
  })
})

/** One file for several architectures, as `lipo` makes it. */
function universal(programs: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(4_096)
  header.writeUInt32BE(0xcafebabe)
  header.writeUInt32BE(programs.length, 4)
  let offset = header.length
  for (const [index, program] of programs.entries()) {
    const at = 8 + index * 20
    for (const place of [0, 4]) header.writeUInt32BE(program.readUInt32LE(4 + place), at + place)
    header.writeUInt32BE(offset, at + 8)
    header.writeUInt32BE(program.length, at + 12)
    offset += program.length
  }
  return Buffer.concat([header, ...programs])
}

/**
 * Names the team in the signature that the linker made, in place of the identifier. A library that is not signed stays so.
 */
function signed(library: Buffer, team: string | null): Buffer {
  if (team === null) return library
  const directory = library.lastIndexOf(Buffer.from('fade0c02', 'hex'))
  if (directory === -1) return signedBehind(library, team)
  const identifier = library.readUInt32BE(directory + 20)
  library.writeUInt32BE(identifier, directory + 48)
  library.write(`${team}\0`, directory + identifier, 'latin1')
  return library
}

/** Adds a signature, of which the load command takes the place of the last one, for a library without. */
function signedBehind(library: Buffer, team: string): Buffer {
  const directory = Buffer.alloc(52 + team.length + 1)
  directory.writeUInt32BE(0xfade0c02)
  directory.writeUInt32BE(directory.length, 4)
  directory.writeUInt32BE(0x20400, 8)
  directory.writeUInt32BE(52, 48)
  directory.write(team, 52, 'latin1')
  const header = Buffer.alloc(20)
  header.writeUInt32BE(0xfade0cc0)
  header.writeUInt32BE(header.length + directory.length, 4)
  header.writeUInt32BE(1, 8)
  header.writeUInt32BE(20, 16)
  const signature = Buffer.concat([header, directory])
  let at = 32
  for (let left = library.readUInt32LE(16); left > 1; left -= 1) at += library.readUInt32LE(at + 4)
  library.writeUInt32LE(0x1d, at)
  library.writeUInt32LE(library.length, at + 8)
  library.writeUInt32LE(signature.length, at + 12)
  return Buffer.concat([library, signature])
}
