import { execFileSync, spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { appendFileSync, chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { parseDn } from 'builder-util-runtime'
import fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { ReleaseRecord } from '../../../src/server/catalog/records.ts'
import type { CatalogChannel, ServedRelease } from '../../../src/server/catalog/snapshot.ts'
import { FileMemory } from '../../../src/server/outbound/proving/file-memory.ts'
import { fileFaults } from '../../../src/server/preflight/files/continuity.ts'
import { isAcceptedPublisher, partsOfName } from '../../../src/server/preflight/files/publisher.ts'
import type { FileFacts } from '../../../src/server/preflight/inspect/facts.ts'
import { parseVersion } from '../../../src/server/rules/decision/version.ts'
import { VERSION } from '../../../src/server/runtime/version.ts'
import { type FileParts, lookInto } from '../../../src/server/use-cases/releases/preflight-files.ts'
import { OTHER } from '../../../src/shared/devices/counting.ts'
import type { UpdaterClient } from '../../../src/shared/files/updater.ts'
import { Artifact } from '../../../src/shared/releases/release.ts'
import { artifactFor, channelOf, releaseOf } from '../../support/builders/decision-facts.ts'
import { item } from '../../support/builders/devices.ts'
import { temporaryFolder } from '../../support/builders/folders.ts'
import { asTauri, minisignPair } from '../../support/builders/minisign.ts'
import { writeTool } from '../../support/ci/tools.ts'
import { eventually } from '../../support/eventually.ts'
import { freePort } from '../../support/processes/ports.ts'
import { publish, RELEASES } from '../../support/servers/calls.ts'
import { REPORT } from '../../support/servers/fleet-calls.ts'
import { startHosting, uploadFile } from '../../support/servers/hosting.ts'
import { needs } from '../../support/tools.ts'
import { downloaded, startElectronUpdater } from '../../support/updaters/electron-updater.ts'
import { startFileServer } from '../../support/updaters/file-server.ts'
import { appImage } from './inspect/inspected.ts'
import { archived, installer, sign } from './inspect/windows-files.ts'

const SUBJECTS = {
  same: 'CN=Example Ltd, O="Example, Ltd", C=DE',
  other: 'CN=Example GmbH, O="Example, Ltd", C=DE',
}
const NAMES = [
  'Example Ltd',
  'CN=Example Ltd, C=DE',
  'CN=Example Ltd',
  'O="Example, Ltd"',
  'Example',
]

/** Names that a publisher has, the subject of a certificate, and what Windows says of the file: 0, the default, if it is as signed. */
type Signer = readonly [names: readonly string[], subject: string, status?: number]

/** `SignatureStatus` of PowerShell. */
const HASH_MISMATCH = 3

/** Of which certificates electron-updater accepts an update, where Windows says whose they are. */
function acceptedByUpdater(signers: readonly Signer[]): boolean[] {
  const folder = temporaryFolder()
  writeTool(folder, 'chcp', ':')
  const tools = writeTool(folder, 'powershell.exe', 'cat answer')
  const code = createRequire(import.meta.url).resolve(
    'electron-updater/out/windowsExecutableCodeSignatureVerifier.js',
  )
  const script = `const { verifySignature } = require(${JSON.stringify(code)})
    const fs = require('node:fs')
    async function main() {
      const accepted = []
      for (const [names, Subject, Status = 0] of JSON.parse(fs.readFileSync(0))) {
        fs.writeFileSync('answer', JSON.stringify({ Status, Path: 'a.exe', SignerCertificate: { Subject } }))
        accepted.push((await verifySignature(names, 'a.exe', { info() {}, warn() {} })) === null)
      }
      process.stdout.write(JSON.stringify(accepted))
    }
    void main()`
  const env = { ...process.env, PATH: `${tools}${delimiter}${process.env.PATH}` }
  const input = JSON.stringify(signers)
  // It redirects to a file NUL, which only Windows has none of.
  const options = { cwd: folder, env, input }
  return JSON.parse(execFileSync(process.execPath, ['-e', script], options).toString())
}

const VALUE = fc.oneof(
  fc.constantFrom('Example Ltd', 'Example, Ltd', 'Say "Hi"', 'a+b', ' x ', '', 'Müller; GmbH'),
  fc.array(fc.constantFrom(...' ,;+="\\aF1<'), { maxLength: 6 }).map((all) => all.join('')),
)
const WRITTEN = fc.oneof(
  VALUE,
  VALUE.map((value) => `"${value.replaceAll('"', '""')}"`),
  VALUE.map((value) => value.replaceAll(/[,+"\\;=]/g, '\\$&')),
)
/** Distinguished names, as Windows writes them and as people do. */
const NAME = fc
  .array(fc.tuple(fc.constantFrom('CN', 'O', 'OU', ' C'), WRITTEN), { minLength: 1, maxLength: 3 })
  .chain((parts) =>
    fc
      .constantFrom(', ', ',', ' + ', '; ')
      .map((mark) => parts.map((part) => part.join('=')).join(mark)),
  )

test('reads names of publishers as electron-updater does, and takes those for whom it does', () => {
  fc.assert(
    fc.property(fc.oneof(NAME, WRITTEN), (name) => {
      expect([...partsOfName(name)]).toEqual([...parseDn(name)])
    }),
    { numRuns: 3_000 },
  )
  const known = Object.values(SUBJECTS).flatMap((subject) =>
    NAMES.map((name): Signer => [[name], subject]),
  )
  const any = fc.sample(
    NAME.chain((subject) => {
      const [common = ''] = [parseDn(subject).get('CN')]
      const own = fc.constantFrom(subject, common, `CN="${common}"`)
      const one = fc.oneof({ weight: 4, arbitrary: own }, NAME, VALUE)
      return fc.tuple(fc.array(one, { maxLength: 2 }), fc.constant(subject))
    }),
    { numRuns: 60, seed: 1 },
  )
  const signers = [...known, ...any]
  const accepted = acceptedByUpdater(signers)
  expect(signers.map(([names, subject]) => isAcceptedPublisher(names, subject))).toEqual(accepted)
  expect(accepted.filter(Boolean).length).toBeGreaterThan(20)
})

const SHA = { before: 'ab'.repeat(64), next: 'cd'.repeat(64) }
const NOTHING: FileFacts = { kind: 'unknown', versions: [], publisher: {}, notes: [] }

/** What is wrong with the file of 1.1.0 for a device that runs 1.0.0. */
function faults(
  client: UpdaterClient,
  platform: string,
  next: Partial<FileFacts>,
  before: Partial<FileFacts> = {},
  members: { name?: string; signatures?: readonly [string, string] } = {},
) {
  const { name = 'Editor.exe', signatures = ['', ''] } = members
  const of = (version: string, sha512: string, signature: string) => {
    const url = `https://a.example/${version}/${name}`
    const artifacts = [Artifact.parse({ platform, arch: 'x64', url, sha512, signature })]
    return channelOf([releaseOf(version, { artifacts })]).releases[0] as ServedRelease
  }
  const facts = new Map([
    [SHA.before, { ...NOTHING, ...before }],
    [SHA.next, { ...NOTHING, ...next }],
  ])
  const device = {
    ...{ deviceId: null, version: parseVersion('1.0.0'), platform, arch: 'x86_64' },
    ...{ bundle: OTHER, labels: {} },
  }
  const [running, release] = [
    of('1.0.0', SHA.before, signatures[0]),
    of('1.1.0', SHA.next, signatures[1]),
  ]
  return fileFaults({ client, device, running, release }, { facts, failures: new Map() })
}

const signedBy = (subject: string) => ({ publisher: { authenticode: { subject } } })
const asks = (url: string, publisherName?: string[]) => ({
  electronUpdate: { provider: 'generic', url, ...(publisherName && { publisherName }) },
})
const team = (appleTeam: string | null) => ({ publisher: { appleTeam } })
const version = (source: 'package_json' | 'info_plist' | 'fixed_version', text: string) => ({
  versions: [{ source, text }],
})

test('names a publisher, a team, a key and a feed that changed, and passes those that did not', () => {
  const electron = (next: Partial<FileFacts>, before: Partial<FileFacts>) =>
    faults('electron_updater', 'windows', next, before).map(({ code }) => code)
  const named = asks('https://a.example', ['Example Ltd'])
  expect(electron({ ...named, ...signedBy(SUBJECTS.same) }, named)).toEqual([])
  expect(electron({ ...named, ...signedBy(SUBJECTS.other) }, named)).toEqual(['publisher_changed'])
  expect(electron({ ...named, publisher: { authenticode: null } }, named)).toEqual([
    'publisher_changed',
  ])
  expect(electron({ ...named, publisher: {} }, named)).toEqual([])
  expect(electron(signedBy(SUBJECTS.other), signedBy(SUBJECTS.same))).toEqual(['publisher_changed'])
  const anyone = asks('https://a.example')
  expect(
    electron({ ...anyone, ...signedBy(SUBJECTS.other) }, { ...anyone, ...signedBy(SUBJECTS.same) }),
  ).toEqual([])
  expect(electron(asks('https://b.example'), anyone)).toEqual(['feed_changed'])
  expect(electron({ electronUpdate: null }, anyone)).toEqual(['updater_missing'])
  expect(electron({}, anyone)).toEqual([])
  const mac = (client: UpdaterClient, next: Partial<FileFacts>, before: Partial<FileFacts>) =>
    faults(client, 'darwin', next, before, { name: 'Editor.zip' })
  expect(mac('squirrel_mac', team('B'), team('A'))).toMatchObject([
    { code: 'team_changed', expected: 'A', found: 'B' },
  ])
  expect(mac('squirrel_mac', team(null), team('A'))).toMatchObject([{ found: 'none' }])
  expect(mac('squirrel_mac', team('A'), team('A'))).toEqual([])
  const [one, other] = [minisignPair(), minisignPair()].map((pair) =>
    asTauri(pair.sign(Buffer.from('a file'))),
  )
  const keys = (...signatures: [string, string]) =>
    faults('tauri', 'windows', {}, {}, { signatures }).map(({ code }) => code)
  expect(keys(one ?? '', one ?? '')).toEqual([])
  expect(keys(one ?? '', other ?? '')).toEqual(['minisign_key_changed'])
})

test.each<[string[], Partial<FileFacts>]>([
  [[], { ...version('package_json', '1.1.0'), arch: ['x86_64'] }],
  [[], { ...version('fixed_version', '1.1.0.0'), arch: ['i686'] }],
  [['version_inside'], version('package_json', '1.1.0-beta')],
  [['version_inside'], version('fixed_version', '1.0.0.0')],
  [['arch_inside'], { arch: ['aarch64'] }],
  [['signature_broken'], { publisher: { isIntact: false } }],
])('%j of what is inside', (codes, facts) => {
  expect(faults('electron_updater', 'windows', facts).map(({ code }) => code)).toEqual(codes)
})

/** What does not change from version to version. */
const LARGE = Buffer.concat(
  Array.from({ length: 10_000 }, (_, at) => hash('sha512', `${at}`, 'buffer')),
)

/** An app for macOS as electron-builder packs it. */
function app(inside: string, feed: string | null, built = inside): Buffer {
  const plist = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict>
<key>CFBundleIdentifier</key><string>com.example.editor</string>
<key>CFBundleShortVersionString</key><string>${inside}</string>
<key>CFBundleVersion</key><string>${inside}</string>
</dict></plist>`
  const update = stringify({ provider: 'generic', url: feed })
  const contents = 'Editor.app/Contents'
  return Buffer.from(
    zipSync({
      [`${contents}/built`]: strToU8(built),
      [`${contents}/large.bin`]: [new Uint8Array(LARGE), { level: 0 }],
      [`${contents}/Info.plist`]: strToU8(plist),
      ...(feed === null ? {} : { [`${contents}/Resources/app-update.yml`]: strToU8(update) }),
    }),
  )
}

test('reads stored files: apps that ask elsewhere or nowhere, or have another version or processor inside', async () => {
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const server = await startHosting({ publicUrl }, { config: { port } })
  const feed = `${server.address}/electron/editor/stable`
  const release = async (version: string, content: Buffer) => {
    const file = await uploadFile(server, content, `Editor-${version}-mac.zip`)
    const { url, sha512, size } = file
    await publish(server, version, {
      artifacts: [{ platform: 'darwin', arch: 'any', url, sha512, size }],
      rolloutPct: version === '1.0.0' ? 100 : 0,
    })
  }
  await release('1.0.0', app('1.0.0', feed))
  await release('1.1.0', app('1.1.0', feed))
  const elsewhere = (await startFileServer()).add('nothing', '').url
  await release('1.2.0', app('1.2.0', elsewhere))
  await release('1.3.0', app('1.0.0', feed, '1.3.0'))
  await release('1.4.0', app('1.4.0', null))
  const devices = [item('one', { platform: 'darwin', arch: 'x64', version: '1.0.0' })]
  await server.call('POST', REPORT, { body: { app: 'editor', devices } })
  const codes = async (version: string) => {
    const { body } = await server.call('GET', `${RELEASES}/editor/stable/${version}/preflight`)
    const { findings, inspected } = body.preflight
    expect(inspected, JSON.stringify(body.preflight)).toBe(2)
    return findings.map(({ code }: { code: string }) => code)
  }
  expect(await codes('1.1.0')).toEqual([])
  // Until the block maps are made, all of the file counts.
  await eventually(async () => {
    const { body } = await server.call('GET', `${RELEASES}/editor/stable/1.1.0/preflight`)
    const { devices: downloading, bytes, changed } = body.preflight.download
    expect([downloading, bytes > LARGE.length]).toEqual([1, true])
    expect(changed).toBeLessThan(LARGE.length / 2)
  })
  expect(await codes('1.2.0')).toEqual(['feed_changed'])
  expect(await codes('1.3.0')).toEqual(['version_inside'])
  expect(await codes('1.4.0')).toEqual(['updater_missing'])
  const checked = (asked: string | null, version: string) =>
    startElectronUpdater({ kind: 'mac', feed: asked, version }).checkForUpdates()
  await expect(checked(elsewhere, '1.2.0')).rejects.toThrow('404')
  await expect(checked(null, '1.4.0')).rejects.toThrow('ENOENT')
  // An app with the version of before inside is offered the same again after it was installed.
  await server.call('PATCH', RELEASES, {
    body: { app: 'editor', channel: 'stable', version: '1.3.0', rolloutPct: 100 },
  })
  const updater = startElectronUpdater({ kind: 'mac', feed, version: '1.0.0' })
  updater.autoDownload = false
  expect((await updater.checkForUpdates())?.updateInfo.version).toBe('1.3.0')
  expect(readFileSync(await downloaded(updater)).includes('Info.plist')).toBe(true)
  const again = startElectronUpdater({ kind: 'mac', feed, version: '1.0.0' })
  again.autoDownload = false
  expect((await again.checkForUpdates())?.isUpdateAvailable).toBe(true)
  // Of a program for another processor it says nothing, and installs it.
  const file = await uploadFile(server, appImage('gzip.squashfs'), 'Editor-2.3.4.AppImage')
  const { url, sha512, size } = file
  const artifacts = [{ platform: 'linux', arch: 'x64', url, sha512, size }]
  await publish(server, '2.3.4', { artifacts, rolloutPct: 100 })
  const linux = [item('two', { platform: 'linux', arch: 'x64', version: '2.3.3' })]
  await server.call('POST', REPORT, { body: { app: 'editor', devices: linux } })
  const { body } = await server.call('GET', `${RELEASES}/editor/stable/2.3.4/preflight`)
  expect(body.preflight.findings).toContainEqual(
    expect.objectContaining({ code: 'arch_inside', platform: 'linux', devices: 1 }),
  )
  const other = startElectronUpdater({ kind: 'appimage', feed, version: '2.3.3' })
  other.autoDownload = false
  await other.checkForUpdates()
  const path = await downloaded(other)
  chmodSync(path, 0o755)
  expect(spawnSync(path).status).not.toBe(0)
})

test('remembers a file elsewhere whose own artifact is proven, also after a restart, and looks into another one again', async () => {
  const files = ['darwin', 'windows', 'windows'].map((platform, at) => ({
    ...artifactFor(platform, 'x64', String(at)),
    sha512: `e${at}`.repeat(64),
  }))
  const release = releaseOf('1.0.0', { artifacts: files })
  const tried = releaseOf('1.1.0', { artifacts: [artifactFor('windows', 'x64', 'next')] })
  const channel = {
    app: { key: 1, proving: {} },
    record: { name: 'stable' },
    compiled: channelOf([release, tried]),
  } as unknown as CatalogChannel
  const proven = { releaseId: release.id, position: 1, failure: null, dueAt: 1, checkedAt: 1 }
  const asked: string[] = []
  const folder = temporaryFolder()
  const failures: unknown[] = []
  const started = () => ({
    catalog: { now: () => 0, store: { proofs: async () => [proven] } },
    fleet: { presence: async () => [{ channel: 'stable', version: '1.0.0', devices: 1 }] },
    prover: {
      memory: new FileMemory(folder, (error) => failures.push(error)),
      inspect: async ({ url }: { url: string }) => {
        asked.push(url)
        return { facts: { notes: [] }, isStored: false }
      },
    },
  })
  const look = async () => {
    await lookInto(started() as unknown as FileParts, channel, tried as ReleaseRecord, undefined)
  }
  const times = (url = '') => asked.filter((each) => each === url).length
  await look()
  await look()
  expect(files.map(({ url }) => times(url))).toEqual([0, 1, 2])
  const file = join(folder, 'file-facts.jsonl')
  // A crash has cut off the last line.
  appendFileSync(file, '{"reader":"')
  await look()
  expect(files.map(({ url }) => times(url))).toEqual([0, 1, 3])
  // Readers of another version may find more.
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(VERSION, '0.0.0'))
  await look()
  expect(files.map(({ url }) => times(url))).toEqual([0, 2, 4])
  expect(failures).toEqual([])
})

/** What electron-updater makes of an installer of which Windows would say what `osslsigncode` does. */
function isInstalledByUpdater(name: string, file: string): boolean {
  const said = spawnSync('osslsigncode', ['verify', '-in', file], { encoding: 'utf8' }).stdout
  const [subject = ''] = /(?<=Subject: \/).*/.exec(said) ?? []
  const status = said.includes('MISMATCH!!!') ? HASH_MISMATCH : 0
  return acceptedByUpdater([[[name], subject.replaceAll('/', ', '), status]])[0] === true
}

test(
  'reads who signed the installers of electron-builder, and names a publisher that electron-updater refuses',
  needs('makensis', 'openssl', 'osslsigncode'),
  async () => {
    const server = await startHosting()
    const folder = temporaryFolder()
    const built = installer(folder, 'SetCompressor zlib', archived(folder, 'electron-builder.7z'))
    const release = async (version: string, subject: string, change = (_: Buffer) => {}) => {
      const own = join(folder, `${version}.exe`)
      copyFileSync(built, own)
      const signed = sign(own, subject)
      const content = readFileSync(signed)
      change(content)
      writeFileSync(signed, content)
      const { url, sha512, size } = await uploadFile(server, content, `Editor-${version}.exe`)
      const artifacts = [{ platform: 'windows', arch: 'arm64', url, sha512, size }]
      await publish(server, version, { artifacts, rolloutPct: version === '2.3.4' ? 100 : 0 })
      const { body } = await server.call('GET', `${RELEASES}/editor/stable/${version}/preflight`)
      return { signed, ...body.preflight }
    }
    await release('2.3.4', '/CN=Example Ltd')
    const devices = [item('one', { platform: 'windows', arch: 'arm64', version: '2.3.4' })]
    await server.call('POST', REPORT, { body: { app: 'editor', devices } })
    const same = await release('2.3.4+2', '/CN=Example Ltd/O=Example')
    expect(same.findings.map(({ code }: { code: string }) => code)).toEqual(['version_not_above'])
    expect(isInstalledByUpdater('Example Ltd', same.signed)).toBe(true)
    const other = await release('2.3.5', '/CN=Example GmbH')
    expect(other.findings).toMatchObject([
      { code: 'version_inside', found: '2.3.4' },
      { code: 'publisher_changed', expected: 'Example Ltd', found: 'CN=Example GmbH', devices: 1 },
    ])
    expect(isInstalledByUpdater('Example Ltd', other.signed)).toBe(false)
    const broken = await release('2.3.6', '/CN=Example Ltd', (content) => {
      content.writeUInt8(content.readUInt8(2_000) ^ 1, 2_000)
    })
    expect(broken.findings).toMatchObject([
      ...[{ code: 'version_inside' }, { code: 'signature_broken', devices: 1 }],
    ])
    expect(isInstalledByUpdater('Example Ltd', broken.signed)).toBe(false)
  },
)
