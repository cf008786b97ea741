import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseDn } from 'builder-util-runtime'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../../support/builders/folders.ts'
import { needs } from '../../../support/tools.ts'
import { FEED, factsOf, fixture, inspected, library, toolFile, toolModule } from './inspected.ts'

const SUBJECT = '/C=DE/ST=Bayern/L=München/O=Example, Ltd/CN=Example, Ltd/serialNumber=HRB 1'

/** An installer of NSIS with files inside, each added by its lines. */
function installer(folder: string, settings: string, files: string): string {
  const script = join(folder, 'installer.nsi')
  const version = ['FileVersion', 'FileDescription', 'LegalCopyright', 'ProductVersion']
  const lines = [
    ...['Name App', `OutFile "${join(folder, 'Setup.exe')}"`, 'Unicode true', settings],
    ...['RequestExecutionLevel user', 'VIProductVersion 2.3.4.0'],
    ...version.map((key) => `VIAddVersionKey /LANG=1033 ${key} 2.3.4`),
    ...['Section', 'SetOutPath $INSTDIR', 'File installer.nsi', files],
    ...['WriteUninstaller $INSTDIR\\u.exe', 'SectionEnd', 'Section Uninstall', 'SectionEnd'],
  ]
  writeFileSync(script, lines.join('\n'))
  execFileSync('makensis', ['-V1', script], { cwd: folder })
  return join(folder, 'Setup.exe')
}

/** Signs a file with a certificate of its own. */
function sign(path: string) {
  const [key, pem, signed] = [`${path}.key`, `${path}.pem`, `${path}.signed`]
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const names = ['-utf8', '-keyout', key, '-out', pem, '-days', '2', '-subj', SUBJECT]
  execFileSync('openssl', [...request, ...names], { stdio: 'ignore' })
  const options = ['-certs', pem, '-key', key, '-h', 'sha256', '-in', path, '-out', signed]
  execFileSync('osslsigncode', ['sign', ...options], { stdio: 'ignore' })
  const { fingerprint, fingerprint256 } = new X509Certificate(readFileSync(pem))
  const plain = (text: string) => text.replaceAll(':', '').toLowerCase()
  return { signed, thumbprints: { sha1: plain(fingerprint), sha256: plain(fingerprint256) } }
}

/** The lines with which electron-builder adds the archive of the app. */
function archived(folder: string, name: string): string {
  writeFileSync(join(folder, name), fixture(name))
  return `SetCompress off\nFile "/oname=$INSTDIR\\app-64.7z" ${name}\nSetCompress auto`
}

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

    const { signed, thumbprints } = sign(path)
    const { publisher, ...others } = await factsOf(signed)
    expect(others).toEqual(app)
    expect(publisher.authenticode).toEqual({
      subject: 'SERIALNUMBER=HRB 1, CN="Example, Ltd", O="Example, Ltd", L=München, S=Bayern, C=DE',
      commonName: 'Example, Ltd',
      thumbprints,
    })
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
    const { signed, thumbprints } = sign(path)
    expect(await factsOf(signed)).toMatchObject({
      ...msi,
      publisher: { authenticode: { thumbprints } },
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
  expect(velopack).toEqual({ ...app, kind: 'velopack', publisher: { authenticode: null } })
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

/** Takes the flag of a library from a PE file. */
function asProgram(bytes: Buffer): Buffer {
  const flags = bytes.readUInt32LE(0x3c) + 22
  bytes.writeUInt16LE(bytes.readUInt16LE(flags) & ~0x2000, flags)
  return bytes
}

/** A program with a key of minisign among its texts, and others at once before and behind it, as Rust has them. */
function tauriProgram(): { bytes: Buffer; key: string } {
  const id = Buffer.from('0101020304050607', 'hex')
  const key = Buffer.concat([Buffer.from('Ed'), id, Buffer.alloc(32, 9)]).toString('base64')
  const file = `untrusted comment: minisign public key: 0706050403020101\n${key}\n`
  const texts = `pubkey${Buffer.from(file).toString('base64')}endpointshttps://example.com`
  const bytes = asProgram(library('win32-x64'))
  bytes.write(texts, bytes.indexOf('SQLite format 3'), 'latin1')
  return { bytes, key }
}

/** Adds a resource of type `DATA` as electron-builder does. */
function withResource(bytes: Buffer, { id, bytes: bin }: { id: number; bytes: Buffer }): Buffer {
  const { NtExecutable, NtExecutableResource } = toolModule('resedit') as typeof import('resedit')
  const executable = NtExecutable.from(bytes, { ignoreCert: true })
  const resources = NtExecutableResource.from(executable)
  const others = resources.entries.filter((entry) => entry.type !== 'DATA')
  const data = new Uint8Array(bin).buffer
  resources.entries = [...others, { type: 'DATA', id, lang: 1_033, codepage: 0, bin: data }]
  resources.outputResource(executable)
  return Buffer.from(executable.generate())
}
