import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDn } from 'builder-util-runtime'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../support/builders/folders.ts'
import { needs } from '../../../support/tools.ts'
import { FEED, factsOf, fixture, inspected, library, toolFile } from './inspected.ts'
import {
  archived,
  asProgram,
  installer,
  sign,
  tauriProgram,
  withResource,
} from './windows-files.ts'

test(
  'a signed installer of electron-builder says who signed it, and what the app inside is',
  needs('makensis', 'openssl', 'osslsigncode'),
  async () => {
    const folder = temporaryFolder()
    const path = installer(folder, 'SetCompressor zlib', archived(folder, 'electron-builder.7z'))
    const unsigned = await factsOf(path)
    const app = {
      kind: 'nsis',
      arch: ['aarch64'],
      version: '2.3.4',
      versions: [
        { source: 'package_json', text: '2.3.4' },
        { source: 'product_version', text: '2.3.4' },
        { source: 'fixed_version', text: '2.3.4.0' },
      ],
      electronUpdate: FEED,
      notes: [],
    }
    expect(unsigned).toEqual({ ...app, publisher: { authenticode: null } })

    const signed = sign(path)
    const { publisher, ...others } = await factsOf(signed)
    expect(others).toEqual(app)
    expect(publisher.authenticode).toEqual({
      subject: 'SERIALNUMBER=HRB 1, CN="Example, Ltd", O="Example, Ltd", L=München, S=Bayern, C=DE',
    })
    expect(publisher.isIntact).toBe(true)
    const changed = readFileSync(signed)
    changed.writeUInt8(changed.readUInt8(2_000) ^ 1, 2_000)
    writeFileSync(`${path}.changed`, changed)
    expect((await factsOf(`${path}.changed`)).publisher.isIntact).toBe(false)
    const forged = readFileSync(signed)
    const end = forged.length - 20
    forged.writeUInt8(forged.readUInt8(end) ^ 1, end)
    expect((await inspected(forged)).facts.publisher.isIntact).toBe(false)
    const verify = (file: string) =>
      spawnSync('osslsigncode', ['verify', '-in', file], { encoding: 'utf8' }).stdout
    expect(verify(signed)).not.toContain('MISMATCH!!!')
    expect(verify(`${path}.changed`)).toContain('MISMATCH!!!')
    // What electron-updater reads of it.
    expect(parseDn(publisher.authenticode?.subject ?? '').get('CN')).toBe('Example, Ltd')
  },
)

test(
  'an installer of Windows Installer says its version, architecture and signer',
  needs('openssl', 'osslsigncode'),
  async () => {
    const path = join(temporaryFolder(), 'app.msi')
    writeFileSync(path, fixture('app.msi'))
    const msi = {
      ...{ kind: 'msi', arch: ['x86_64'], version: '2.3.4' },
      versions: [{ source: 'msi_property', text: '2.3.4' }],
      notes: [{ code: 'not_read', part: 'contents', format: 'msi_cabinet' }],
    }
    expect(await factsOf(path)).toEqual({ ...msi, publisher: { authenticode: null } })
    expect(await factsOf(sign(path, '/CN=Example'))).toMatchObject({
      ...msi,
      publisher: { authenticode: { subject: 'CN=Example' } },
    })
  },
)

test(
  'an installer that is compressed as one is read to the programs inside',
  needs('makensis'),
  async () => {
    const folder = temporaryFolder()
    const { bytes, key } = tauriProgram()
    writeFileSync(join(folder, 'app.exe'), bytes)
    const path = installer(folder, 'SetCompressor /SOLID lzma', 'File app.exe')
    expect(await factsOf(path)).toMatchObject({
      kind: 'nsis',
      arch: ['x86_64'],
      version: '2.3.4',
      electronUpdate: null,
      tauri: { publicKey: key, keyId: '0706050403020101' },
      notes: [{ code: 'not_read', part: 'tauri_config', format: 'endpoints' }],
    })
  },
)

test.for(['/SOLID zlib', 'zlib', 'lzma'])(
  'of an installer with programs compressed by %s, it says that they are not read',
  needs('makensis'),
  async (compressor) => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'app.exe'), library('win32-x64'))
    const path = installer(folder, `SetCompressor ${compressor}`, 'File app.exe')
    const facts = await factsOf(path)
    expect(facts).not.toHaveProperty('arch')
    expect(facts).not.toHaveProperty('electronUpdate')
    const format = compressor.startsWith('/') ? 'nsis_solid' : 'nsis_compressed'
    expect(facts.notes).toEqual([{ code: 'not_read', part: 'contents', format }])
  },
)

describe('an installer of Squirrel.Windows', needs('app-builder-lib'), () => {
  test('is read to the package in its resource', async () => {
    const setup = withResource(readFileSync(toolFile('electron-winstaller/vendor/Setup.exe')), {
      id: 131,
      bytes: Buffer.from(
        zipSync({ RELEASES: strToU8(''), 'App-2.3.4-full.nupkg': [packed(), { level: 0 }] }),
      ),
    })
    expect((await inspected(setup)).facts).toMatchObject({
      ...{ kind: 'squirrel', arch: ['x86_64'], version: '2.3.4', appId: 'App' },
      ...{ electronUpdate: FEED, notes: [] },
    })
  })

  test('whose programs run on any processor says so, and who signed one is named', async () => {
    const vendor = 'electron-winstaller/vendor'
    expect(await factsOf(toolFile(`${vendor}/Squirrel.exe`))).toMatchObject({ arch: ['any'] })
    expect(await factsOf(toolFile(`${vendor}/signtool.exe`))).toMatchObject({
      ...{ kind: 'pe', arch: ['i686'] },
      publisher: {
        authenticode: {
          subject:
            'CN=Microsoft Corporation, OU=MOPR, O=Microsoft Corporation, L=Redmond, S=Washington, C=US',
        },
      },
    })
  })
})

test('a package, and an installer of Velopack with the package behind it, say what the app is', async () => {
  const app = {
    ...{ arch: ['x86_64'], version: '2.3.4', appId: 'App', electronUpdate: FEED, notes: [] },
    versions: [
      { source: 'package_json', text: '2.3.4' },
      { source: 'nuspec', text: '2.3.4-beta' },
    ],
  }
  const { facts } = await inspected(Buffer.from(packed()))
  expect(facts).toEqual({ ...app, kind: 'nupkg', publisher: {} })
  const setup = Buffer.concat([library('win32-arm64'), packed()])
  const velopack = (await inspected(setup)).facts
  expect(velopack).toEqual({ ...app, kind: 'vpk', publisher: { authenticode: null } })
})

/** A package with an app on Electron; libraries stand for programs, without the flag of libraries. */
function packed(): Uint8Array {
  const nuspec = '<package><metadata><id>App</id><version>2.3.4-beta</version></metadata></package>'
  return zipSync({
    'App.nuspec': strToU8(nuspec),
    'lib/net45/App.exe': asProgram(library('win32-x64')),
    'lib/net45/Squirrel.exe': [new Uint8Array(10_000_000), { level: 1 }],
    'lib/net45/resources/app-update.yml': strToU8(JSON.stringify(FEED)),
    'lib/net45/resources/app.asar': fixture('app.asar'),
  })
}
