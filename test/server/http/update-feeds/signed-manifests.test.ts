import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createChannel } from '../../../../src/server/catalog/apps.ts'
import { addressBeside } from '../../../../src/server/http/update-feeds/downloads.ts'
import { compileChannel } from '../../../../src/server/rules/decision/compile.ts'
import { DEFAULT_POLICY } from '../../../../src/shared/releases/channel.ts'
import { Artifact } from '../../../../src/shared/releases/release.ts'
import { ACTOR } from '../../../support/builders/actor.ts'
import { releaseOf } from '../../../support/builders/decision-facts.ts'
import { deviceWithin } from '../../../support/builders/devices.ts'
import { publishBody } from '../../../support/builders/releases.ts'
import { freePort } from '../../../support/processes/ports.ts'
import { expectError, publish, RELEASES, serve } from '../../../support/servers/calls.ts'
import { startHosting, uploadFile } from '../../../support/servers/hosting.ts'
import type { TestServer } from '../../../support/servers/server.ts'
import {
  artifactsOf,
  BASE,
  documentOf,
  key,
  manifestOf,
  publishSigned,
  sha512Of,
  signed,
  startWithKey,
} from '../../../support/servers/signed-release.ts'
import { downloaded, startElectronUpdater } from '../../../support/updaters/electron-updater.ts'
import { startFileServer } from '../../../support/updaters/file-server.ts'
import { isAccepted, signedManifest } from '../../../support/updaters/signed-manifest.ts'

const read = (server: TestServer, device = '', path = 'stable/latest.yml') =>
  server.call('GET', `/electron/editor/${path}`, {
    key: null,
    headers: device === '' ? {} : { 'x-user-staging-id': device },
  })

test('a signed manifest is served byte for byte through staging, a roll-back and another channel', async () => {
  const server = await startWithKey()
  const first = await publishSigned(server, '1.0.0')
  const second = await publishSigned(server, '2.0.0', { rolloutPct: 10 })
  expect(second.release.documents).toEqual([{ ...documentOf(second.text), checked: true }])
  const { body } = await server.call('GET', '/feed/editor/stable', { key: null })
  expect(body.releases[0]).not.toHaveProperty('documents')
  const early = deviceWithin(second.id, 0, 0.1)
  const late = deviceWithin(second.id, 0.1, 1)
  const served = async (device: string, path = 'stable/latest.yml') => {
    const { status, headers } = await read(server, device, path)
    const etag = headers.get('etag')
    expect([status, headers.get('content-type')]).toEqual([200, 'application/yaml; charset=utf-8'])
    expect(etag).toMatch(/^"[\w-]{43}"$/)
    // The text of a response has no byte order mark.
    const plain = await fetch(`${server.address}/electron/editor/${path}`, {
      headers: { 'x-user-staging-id': device },
    })
    const text = Buffer.from(await plain.arrayBuffer()).toString()
    expect(isAccepted(text, key)).toBe(true)
    return text
  }
  expect(await served(early)).toBe(second.text)
  expect(await served(late)).toBe(first.text)

  await createChannel(server.catalog, ACTOR, { app: 'editor', name: 'beta' })
  const third = await publishSigned(server, '3.0.0-beta.1', { channel: 'beta' })
  expect(await served(late, 'beta/latest.yml')).toBe(third.text)
  expect(await served(late, 'beta/beta.yml')).toBe(third.text)

  await serve(server, '2.0.0', { status: 'paused' })
  expect(await served(early)).toBe(first.text)
  await serve(server, '2.0.0', { status: 'published', rolloutPct: 100 })
  expect(await served(late)).toBe(second.text)
  await serve(server, '2.0.0', { status: 'rolled_back' })
  expect(await served(early, 'stable/latest.yml?version=2.0.0')).toBe(first.text)
})

test('no member that is signed can be altered, by a byte', async () => {
  const server = await startWithKey()
  const packages = {
    x64: {
      ...{ path: 'Editor.7z', sha512: sha512Of('7z'), size: 2, blockMapSize: 7 },
      isAdminRightsRequired: true,
    },
  }
  const manifest = manifestOf('1.0.0', { packages, stagingPercentage: 50 })
  const text = signedManifest({ ...manifest, minimumSystemVersion: '10.0.19041' }, key)
  expect(isAccepted(text, key)).toBe(true)
  const files = [
    ...artifactsOf('1.0.0'),
    { ...artifactsOf('7z')[0], kind: 'zip', url: `${BASE}Editor.7z` },
  ]
  const outcome = async (altered: string) => {
    const body = publishBody('1.0.0', { artifacts: files, documents: [documentOf(altered)] })
    return await server.call('POST', RELEASES, { body })
  }
  const covered = text.split('\n').flatMap((line, index) => {
    const [, value = ''] = /: (.+)$/.exec(line) ?? /(x64):$/.exec(line) ?? []
    // The deprecated copy of the first file, and what describes a release to people.
    const isFree = /^(path|sha512|releaseDate|signature):|^ +- keyId|^ {4}signature/.test(line)
    return value === '' || isFree ? [] : [index]
  })
  expect(covered).toHaveLength(12)
  for (const index of covered) {
    const lines = text.split('\n')
    const line = (lines[index] ?? '').replace(/:$/, '')
    const last = line.at(-1) ?? ''
    const others: Readonly<Record<string, string>> = { '=': 'A', e: 'r', '0': '1' }
    lines[index] =
      `${line.slice(0, -1)}${others[last] ?? String.fromCharCode(last.charCodeAt(0) ^ 1)}`
    const altered = lines.join('\n')
    expect(isAccepted(altered, key), line).toBe(false)
    expect(expectError(await outcome(altered), 400), line).toContain('latest.yml')
  }
  expect((await outcome(text)).status).toBe(201)
})

test('electron-updater downloads the file that the manifest names beside the feed', async () => {
  const server = await startWithKey()
  const files = await startFileServer()
  const { url, sha512, size } = files.add('Editor-1.1.0.exe', '1.1.0')
  const list = [
    { url: 'Editor-1.1.0.exe', sha512: Buffer.from(sha512, 'hex').toString('base64'), size },
  ]
  const text = signedManifest({ ...manifestOf('1.1.0'), files: list }, key)
  const artifacts = [{ platform: 'windows', arch: 'x86_64', url: `${url}?token=1`, sha512, size }]
  await publish(server, '1.1.0', { artifacts, documents: [documentOf(text)] })
  const feed = `${server.address}/electron/editor/stable?version=1.0.0&arch=x64`
  const updater = startElectronUpdater({ kind: 'nsis', feed, version: '1.0.0' })
  updater.autoDownload = false
  expect(await updater.checkForUpdates()).toMatchObject({ updateInfo: { version: '1.1.0' } })
  expect(readFileSync(await downloaded(updater), 'utf8')).toBe('1.1.0')
  const blockMap = await server.call(
    'GET',
    '/electron/editor/stable/Editor-1.1.0.exe.blockmap?version=1.0.0',
    { key: null },
  )
  expect([blockMap.status, blockMap.headers.get('location')]).toEqual([
    302,
    `${url}.blockmap?token=1`,
  ])
})

test('a file beside the feed costs the reading of one document, whatever else is signed on the channel', async () => {
  let read = 0
  const releases = Array.from({ length: 100 }, (_, minor) => {
    const version = `1.${minor}.0`
    const content = Buffer.from(signed(version)).toString('base64')
    const document = {
      ...{ updater: 'electron' as const, name: 'latest.yml', checked: true },
      get content() {
        read += 1
        return content
      },
    }
    const artifacts = artifactsOf(version).map((each) => Artifact.parse(each))
    return { ...releaseOf(version, { artifacts }), documents: [document] }
  })
  const compiled = compileChannel(DEFAULT_POLICY, releases)
  const find = async (name: string) => await addressBeside({ compiled }, 'electron', name)
  expect(await find('Editor Setup 1.7.0.exe')).toBe(`${BASE}Editor%20Setup%201.7.0.exe`)
  expect(await find('Editor Setup 1.7.0.exe.blockmap')).toMatch(/1\.7\.0\.exe\.blockmap$/)
  expect(read).toBe(1)
  expect(await find('Editor Setup 9.9.9.exe')).toBeUndefined()
  expect(await find('Editor Setup.exe')).toBeUndefined()
  expect(read).toBe(100)
})

test('electron-updater downloads a file that the server stores by the name in the manifest', async () => {
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const server = await startHosting({ publicUrl }, { config: { port } })
  const { url, sha512, size } = await uploadFile(server, Buffer.from('1.1.0'), 'Setup 1.1.0.exe')
  const list = [{ url: 'Setup 1.1.0.exe', sha512: Buffer.from(sha512, 'hex').toString('base64') }]
  const text = signedManifest({ ...manifestOf('1.1.0'), files: list }, key)
  const artifacts = [{ platform: 'windows', arch: 'x86_64', url, sha512, size }]
  await publish(server, '1.1.0', { artifacts, documents: [documentOf(text)] })
  const feed = `${server.address}/electron/editor/stable`
  const updater = startElectronUpdater({ kind: 'nsis', feed, version: '1.0.0' })
  updater.autoDownload = false
  await updater.checkForUpdates()
  expect(readFileSync(await downloaded(updater), 'utf8')).toBe('1.1.0')
})
