// @module-tag long

import { hash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createChannel } from '../../../../src/server/catalog/apps.ts'
import {
  readPackages,
  signatureOfPackage,
} from '../../../../src/shared/artifacts/documents/package-list.ts'
import { readManifest } from '../../../../src/shared/artifacts/dropped.ts'
import { ACTOR } from '../../../support/builders/actor.ts'
import { deviceWithin } from '../../../support/builders/devices.ts'
import { publishBody } from '../../../support/builders/releases.ts'
import { expectError, publish, RELEASES, serve } from '../../../support/servers/calls.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'
import {
  chosenBySquirrel,
  chosenByVelopack,
  readAssets,
  readReleases,
} from '../../../support/updaters/package-clients.ts'

const BASE = 'https://downloads.example/editor/'

interface Built {
  readonly version: string
  /** Bytes of the delta package; undefined for none. */
  readonly delta?: number | undefined
}

/** The names and contents of the lists of a folder with those builds, as build tools leave them. */
const LISTS = {
  squirrel: {
    name: 'RELEASES',
    path: 'squirrel/editor/stable/win32/x64',
    write: (builds: readonly Built[]) =>
      `\uFEFF${packagesOf(builds)
        .map(({ sha1, name, size }) => `${sha1} ${name} ${size}`)
        .join('\r\n')}`,
    ask: (server: TestServer, version: string, device: string, channel: string) =>
      fetch(
        `${server.address}/squirrel/editor/${channel}/win32/x64/${version}/RELEASES?device=${device}`,
      ),
    choose: (version: string, text: string) => chosenBySquirrel(version, readReleases(text, BASE)),
  },
  velopack: {
    name: 'releases.win.json',
    path: 'velopack/editor/stable/windows/x64',
    write: (builds: readonly Built[]) =>
      JSON.stringify({
        Assets: packagesOf(builds).map(({ sha1, name, size, version, type }) => ({
          ...{ PackageId: 'Editor', Version: version, Type: type, FileName: name },
          ...{ SHA1: sha1, SHA256: 'F'.repeat(64), Size: size, NotesHTML: `<p>${version}</p>` },
        })),
        Written: 'by vpk',
      }),
    ask: (server: TestServer, version: string, device: string, channel: string) =>
      fetch(
        `${server.address}/velopack/editor/${channel}/windows/x64/releases.win.json?localVersion=${version}&stagingId=${device}`,
      ),
    choose: (version: string, text: string) => chosenByVelopack(version, readAssets(text)),
  },
} as const
const UPDATERS = ['squirrel', 'velopack'] as const
type Updater = (typeof UPDATERS)[number]

function packagesOf(builds: readonly Built[]) {
  return builds.flatMap(({ version, delta }) => {
    const packageOf = (type: 'Full' | 'Delta', size: number) => {
      const name = `Editor-${version}-${type.toLowerCase()}.nupkg`
      return { name, version, type, size, sha1: hash('sha1', name).toUpperCase() }
    }
    return [packageOf('Full', 1_000), ...(delta === undefined ? [] : [packageOf('Delta', delta)])]
  })
}

/** What is published of the last of those builds, with the list of all. */
function releaseOf(updater: Updater, builds: readonly Built[]) {
  const { name, write } = LISTS[updater]
  const text = write(builds)
  const packages = readPackages(name, text) ?? []
  const { version = '' } = builds.at(-1) ?? {}
  const artifacts = packages
    .filter((each) => each.version === version)
    .map((each) => ({
      ...{ platform: 'windows', arch: 'x64', url: `${BASE}${each.name}`, size: each.size },
      ...{ kind: each.isDelta ? 'delta' : 'nupkg', sha512: hash('sha512', each.name) },
      signature: signatureOfPackage(packages, each),
    }))
  const documents = [{ updater, name, content: Buffer.from(text).toString('base64') }]
  return { text, members: { artifacts, documents } }
}

async function textFor(
  server: TestServer,
  updater: Updater,
  version: string,
  device = '',
  channel = 'stable',
) {
  const response = await LISTS[updater].ask(server, version, device, channel)
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer()).toString()
}

const CHAIN = [
  { version: '1.0.0' },
  { version: '1.1.0', delta: 100 },
  { version: '1.2.0', delta: 100 },
]

describe.each(UPDATERS)('the list of packages of %s', (updater) => {
  test('is served byte for byte through a rollout, a roll-back and another channel', async () => {
    const server = await startWithApp()
    await createChannel(server.catalog, ACTOR, { app: 'editor', name: 'beta' })
    const [first, second] = [1, 2].map((count) => releaseOf(updater, CHAIN.slice(0, count)))
    const third = releaseOf(updater, CHAIN)
    await publish(server, '1.0.0', first?.members)
    await publish(server, '1.1.0', second?.members)
    const { id, documents } = await publish(server, '1.2.0', { ...third.members, rolloutPct: 10 })
    expect(documents).toEqual([{ ...third.members.documents[0], checked: false }])
    const [early, late] = [deviceWithin(id, 0, 0.1), deviceWithin(id, 0.1, 1)]
    expect(await textFor(server, updater, '1.0.0', early)).toBe(third.text)
    expect(await textFor(server, updater, '1.0.0', late)).toBe(second?.text)
    await serve(server, '1.2.0', { rolloutPct: 100 })
    expect(await textFor(server, updater, '1.1.0', late)).toBe(third.text)
    // What lies between is not served: no delta that leads over it is listed.
    await serve(server, '1.1.0', { status: 'paused' })
    const made = await textFor(server, updater, '1.0.0', late)
    expect(made).not.toContain('delta')
    expect(LISTS[updater].choose('1.0.0', made)).toEqual(['Editor-1.2.0-full.nupkg'])
    expect(await textFor(server, updater, '1.1.0', late)).toBe(third.text)
    await serve(server, '1.1.0', { status: 'published' })
    await serve(server, '1.2.0', { status: 'rolled_back' })
    expect(await textFor(server, updater, '1.0.0', late)).toBe(second?.text)

    const body = publishBody('1.2.0', { ...third.members, channel: 'beta' })
    expect((await server.call('POST', RELEASES, { body })).status).toBe(201)
    const path = LISTS[updater].path.replace('stable', 'beta')
    const file = updater === 'squirrel' ? '1.2.0/RELEASES' : 'releases.win.json?localVersion=1.2.0'
    const running = await server.call('GET', `/${path}/${file}`, { key: null })
    if (updater === 'squirrel') expect(running.text).toBe(third.text.slice(1))
    else expect(running.body).toEqual({ Assets: [] })
  })

  test('names packages beside it, which are redirected to their files', async () => {
    const server = await startWithApp()
    for (const count of [1, 2, 3])
      await publish(server, `1.${count - 1}.0`, releaseOf(updater, CHAIN.slice(0, count)).members)
    const folder = `/${LISTS[updater].path}${updater === 'squirrel' ? '/1.0.0' : ''}`
    for (const { name } of packagesOf(CHAIN)) {
      for (const asked of [name, name.toLowerCase()]) {
        const { status, headers } = await server.call('GET', `${folder}/${asked}`, { key: null })
        expect([status, headers.get('location')]).toEqual([302, `${BASE}${name}`])
      }
    }
    expectError(await server.call('GET', `${folder}/Editor-9.9.9-full.nupkg`, { key: null }), 404)
  })

  test('is refused if it is of another version, or lists another file', async () => {
    const server = await startWithApp()
    const { artifacts, documents } = releaseOf(updater, CHAIN).members
    const { name } = LISTS[updater]
    const send = async (version: string, members: Readonly<Record<string, unknown>>) =>
      expectError(await server.call('POST', RELEASES, { body: publishBody(version, members) }), 400)
    expect(await send('1.3.0', { artifacts, documents })).toBe(
      `documents.0: ${name} is for version 1.2.0, not 1.3.0`,
    )
    const [full] = artifacts
    expect(await send('1.2.0', { artifacts: [full], documents })).toContain(
      `documents.0: ${name} lists Editor-1.2.0-delta.nupkg, and no artifact has`,
    )
    const renamed = artifacts.map((each) => ({ ...each, url: `${each.url}.zip` }))
    expect(await send('1.2.0', { artifacts: renamed, documents })).toContain('lists Editor-1.2.0')
    const content = Buffer.from('none').toString('base64')
    expect(await send('1.2.0', { artifacts, documents: [{ ...documents[0], content }] })).toContain(
      `documents.0: ${name} is not a`,
    )
  })
})

/** Versions with what each was built with: a delta of the one before, or none. */
const builds = fc.array(fc.option(fc.integer({ min: 1, max: 700 }), { nil: undefined }), {
  minLength: 1,
  maxLength: 5,
})

test.each(UPDATERS)(
  '%s decides the same by the list of a plain file server and by that of Tidegate',
  async (updater) => {
    const server = await startWithApp()
    let channels = 0
    const property = fc.asyncProperty(builds, async (deltas) => {
      const channel = `channel-${channels++}`
      await createChannel(server.catalog, ACTOR, { app: 'editor', name: channel })
      const built = deltas.map((delta, minor) => ({
        version: `1.${minor}.0`,
        delta: minor === 0 ? undefined : delta,
      }))
      for (const [at, { version }] of built.entries()) {
        const { members } = releaseOf(updater, built.slice(0, at + 1))
        await publish(server, version, { ...members, channel })
      }
      const { text } = releaseOf(updater, built)
      const { choose } = LISTS[updater]
      for (const [at, { version }] of built.entries()) {
        const served = await textFor(server, updater, version, '', channel)
        const isOffered = at < built.length - 1
        if (!isOffered && updater === 'velopack') {
          expect(served).toBe('{"Assets":[]}')
          continue
        }
        const expected = choose(version, text)
        // A plain list also has deltas that are of another version than the device runs; updaters fail on them, and start again.
        const isWhole = built.slice(at + 1).every(({ delta }) => delta !== undefined)
        const hasDeltas = built.slice(at + 1).some(({ delta }) => delta !== undefined)
        if (isWhole || !hasDeltas) expect(served).toBe(text)
        const full = `Editor-${built.at(-1)?.version}-full.nupkg`
        expect(choose(version, served)).toEqual(isWhole || !hasDeltas ? expected : [full])
      }
    })
    await fc.assert(property, { numRuns: 200 })
  },
)

test('packages with an address of their own, and what it asks for, are downloaded from there', async () => {
  const server = await startWithApp()
  const url = 'https://cdn.example/builds/Editor-1.1.0-full.nupkg?token=a&part=1'
  const text = `${'AB'.repeat(20)} ${url} 8`
  const read = readManifest('RELEASES', text, BASE)
  if (!read.ok) throw new Error(read.fault)
  const artifacts = read.release.artifacts.map(({ platform, arch, kind, signature, ...row }) => {
    const { url: address, size } = row
    const file = { url: address, size: Number(size), sha512: hash('sha512', url) }
    return { platform, arch, kind, signature, ...file }
  })
  const content = Buffer.from(text).toString('base64')
  const documents = [{ updater: 'squirrel', name: 'RELEASES', content }]
  await publish(server, '1.1.0', { artifacts, documents })
  const served = await textFor(server, 'squirrel', '1.0.0')
  expect(served).toBe(text)
  expect(readReleases(served, BASE).map((each) => each.url)).toEqual([url])
})
