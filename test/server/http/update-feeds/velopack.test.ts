import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { deviceWithin } from '../../../support/builders/devices.ts'
import { profileOf } from '../../../support/fleet/profile-of.ts'
import { expectError, publish, serve } from '../../../support/servers/calls.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'
import { needs } from '../../../support/tools.ts'
import { type FileServer, startFileServer } from '../../../support/updaters/file-server.ts'
import { startVelopack } from '../../../support/updaters/velopack.ts'

const PATH = '/velopack/editor/stable/windows/x64'

/** Publishes a version with a package, as `vpk` builds it. */
async function release(
  server: TestServer,
  files: FileServer,
  version: string,
  members: Readonly<Record<string, unknown>> = {},
) {
  const name = `Editor-${version}-full.nupkg`
  const { url, sha512, sha1, size } = files.add(`${version}/${name}`, version)
  const signature = `${sha1} ${name} ${size}`
  const artifacts = [{ platform: 'windows', arch: 'x64', url, sha512, signature }]
  return await publish(server, version, { artifacts, ...members })
}

async function start() {
  const server = await startWithApp()
  const files = await startFileServer()
  await release(server, files, '1.0.0')
  await release(server, files, '1.1.0+7', { notes: '## "New"' })
  return { server, files, feed: `${server.address}${PATH}` }
}

test(
  'the client finds a package and downloads it through the server',
  needs('velopack'),
  async () => {
    const { feed } = await start()
    const { manager, packages } = await startVelopack({ feed, version: '1.0.0' })
    const update = await manager.checkForUpdatesAsync()
    expect(update?.TargetFullRelease).toMatchObject({
      Version: '1.1.0+7',
      NotesMarkdown: '## "New"',
    })
    if (update === null) return
    await manager.downloadUpdateAsync(update)
    const file = join(packages, update.TargetFullRelease.FileName)
    expect(readFileSync(file, 'utf8')).toBe('1.1.0+7')
  },
)

test(
  'the client finds the same in the list of a plain file server and in that of the server, in every member',
  needs('velopack'),
  async () => {
    const server = await startWithApp()
    const files = await startFileServer()
    const name = 'Editor-1.1.0-full.nupkg'
    const { url, sha512, sha1, size } = files.add(name, '1.1.0')
    const full = { PackageId: 'Editor', Version: '1.1.0', Type: 'Full', FileName: name }
    const notes = { NotesMarkdown: '# "New"', SHA256: 'E'.repeat(64) }
    const sums = { SHA1: sha1.toUpperCase(), Size: size, Signed: 'not known' }
    const list = JSON.stringify({ Assets: [{ ...full, ...sums, ...notes }] })
    files.add('releases.win.json', list)
    await publish(server, '1.1.0', {
      artifacts: [
        {
          ...{ platform: 'windows', arch: 'x64', url, sha512 },
          signature: `${sha1} ${name} ${size}`,
        },
      ],
      documents: [
        {
          ...{ updater: 'velopack', name: 'releases.win.json' },
          content: Buffer.from(list).toString('base64'),
        },
      ],
    })
    const plain = await startVelopack({ feed: url.replace(`/${name}`, ''), version: '1.0.0' })
    const expected = await plain.manager.checkForUpdatesAsync()
    expect(expected?.TargetFullRelease).toMatchObject(notes)
    const feed = `${server.address}${PATH}`
    const { manager, packages } = await startVelopack({ feed, version: '1.0.0' })
    const update = await manager.checkForUpdatesAsync()
    expect(update).toEqual(expected)
    if (update === null) return
    await manager.downloadUpdateAsync(update)
    expect(readFileSync(join(packages, name), 'utf8')).toBe('1.1.0')
  },
)

test(
  'the client finds nothing in its own version, or on a channel without packages',
  needs('velopack'),
  async () => {
    const { feed, server } = await start()
    const current = await startVelopack({ feed, version: '1.1.0+7' })
    expect(await current.manager.checkForUpdatesAsync()).toBeNull()
    const elsewhere = `${server.address}/velopack/editor/stable/linux/x64`
    const other = await startVelopack({ feed: elsewhere, version: '1.0.0' })
    expect(await other.manager.checkForUpdatesAsync()).toBeNull()
  },
)

test('a device is known by the ID of its client, with its version', async () => {
  const { server } = await start()
  const { id } = await release(server, await startFileServer(), '1.2.0', { rolloutPct: 50 })
  const device = deviceWithin(id, 0, 0.5)
  const query = `?localVersion=1.1.0+7&id=Editor&stagingId=${device}`
  const path = `${PATH}/releases.win.json${query}`
  const { body } = await server.call('GET', path, { key: null })
  expect(body.Assets).toMatchObject([{ Version: '1.2.0' }])
  const app = server.catalog.snapshot.appByName.get('editor')?.record.key ?? 0
  expect(await profileOf(server.fleet, app, device)).toMatchObject({
    version: '1.1.0+7',
    arch: 'x64',
  })
})

test(
  'the client leaves a rolled-back release if downgrades are allowed',
  needs('velopack'),
  async () => {
    const { feed, server } = await start()
    await serve(server, '1.1.0+7', { status: 'rolled_back' })
    const version = '1.1.0+7'
    const kept = await startVelopack({ feed, version })
    expect(await kept.manager.checkForUpdatesAsync()).toBeNull()
    const left = await startVelopack({ feed, version, allowsDowngrade: true })
    const update = await left.manager.checkForUpdatesAsync()
    expect(update).toMatchObject({ TargetFullRelease: { Version: '1.0.0' }, IsDowngrade: true })
  },
)

test('a package is redirected to its file while its release is published', async () => {
  const { server } = await start()
  const get = (file: string) => server.call('GET', `${PATH}/${file}`, { key: null })
  const found = await get('Editor-1.1.0%2B7-full.nupkg')
  expect(found.status).toBe(302)
  expect(found.headers.get('location')).toMatch(/\/1\.1\.0\+7\/Editor-1\.1\.0\+7-full\.nupkg$/)
  expectError(await get('Editor-9.0.0-full.nupkg'), 404)
  await serve(server, '1.1.0+7', { status: 'rolled_back' })
  expectError(await get('Editor-1.1.0%2B7-full.nupkg'), 404)
})

test('a package without its SHA-1 and size is not offered', async () => {
  const server = await startWithApp()
  const file = { platform: 'windows', arch: 'x64', sha512: 'ab'.repeat(64) }
  const url = 'https://downloads.example/Editor-1.0.0-full.nupkg'
  for (const [version, signature] of [
    ['1.0.0', ''],
    ['1.1.0', 'dW50cnVzdGVk'],
    ['1.2.0', 'ab'.repeat(20)],
  ] as const) {
    await publish(server, version, { artifacts: [{ ...file, url, signature }] })
  }
  const get = async () =>
    (await server.call('GET', `${PATH}/releases.win.json`, { key: null })).body
  expect(await get()).toEqual({ Assets: [] })
  await publish(server, '1.3.0', {
    artifacts: [{ ...file, url, signature: 'ab'.repeat(20), size: 7 }],
  })
  expect((await get()).Assets).toMatchObject([{ SHA1: 'AB'.repeat(20), Size: 7, Type: 'Full' }])
})
