import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createApp, createChannel } from '../../../../src/server/catalog/apps.ts'
import { ACTOR } from '../../../support/builders/actor.ts'
import { publish, serve } from '../../../support/servers/calls.ts'
import {
  builtFile,
  downloadUrl,
  type HostingServer,
  startHosting,
  uploadFile,
} from '../../../support/servers/hosting.ts'
import { bucketPlace, startS3, stubCredentials } from '../../../support/servers/s3-server.ts'

interface Stored {
  readonly url: string
  readonly sha512: string
  readonly size: number
}

const store = async (server: HostingServer, name: string, bytes = 50_000): Promise<Stored> =>
  await uploadFile(server, builtFile(bytes).content, name)

const artifactOf = ({ url, sha512, size }: Stored) => ({
  ...{ platform: 'windows', arch: 'x86_64', url, sha512, size },
})

async function released(server: HostingServer, name: string, version: string, members = {}) {
  const file = await store(server, name)
  await publish(server, version, { artifacts: [artifactOf(file)], ...members })
  return file
}

/** Asks for a name beside the address of a file. */
async function ask(server: HostingServer, file: Stored, name: string) {
  const url = downloadUrl(server, file).replace(/[^/]+$/, encodeURIComponent(name))
  const response = await fetch(url)
  const body = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, body }
}

const bytesIn = (body: Buffer): number => {
  const { sizes } = JSON.parse(gunzipSync(body).toString()).files[0]
  return sizes.reduce((total: number, each: number) => total + each, 0)
}

test('a file of a release has a block map under its name, made when it is first asked for', async () => {
  const server = await startHosting()
  const file = await released(server, 'Editor 1.0.0.exe', '1.0.0')
  const folder = join(server.artifacts, 'blockmaps')
  expect(existsSync(folder)).toBe(false)
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => ask(server, file, 'Editor 1.0.0.exe.blockmap')),
  )
  for (const { status, body, headers } of answers) {
    expect([status, bytesIn(body)]).toEqual([200, 50_000])
    expect(headers.get('content-length')).toBe(String(body.length))
    expect(headers.get('content-disposition')).toContain('Editor%201.0.0.exe.blockmap')
    expect(headers.get('cache-control')).toBe('public, max-age=3600')
  }
  expect(readdirSync(folder)).toEqual([file.sha512])
  const etag = answers[0]?.headers.get('etag') ?? ''
  const known = await fetch(`${downloadUrl(server, file)}.blockmap`, {
    headers: { 'if-none-match': etag },
  })
  expect(known.status).toBe(304)
})

test('the block map is that of the version that the device names in its address', async () => {
  const server = await startHosting()
  await createChannel(server.catalog, ACTOR, { app: 'editor', name: 'beta' })
  const other = await store(server, 'Editor-1.0.0.exe', 70_000)
  await publish(server, '1.0.0', { artifacts: [artifactOf(other)], channel: 'beta' })
  await released(server, 'Editor-1.0.0.exe', '1.0.0')
  const file = await released(server, 'Editor-1.1.0.exe', '1.1.0')
  const beta = await store(server, 'Editor-1.2.0-beta.exe', 60_000)
  await publish(server, '1.2.0-beta', { artifacts: [artifactOf(beta)], channel: 'beta' })
  await serve(server, '1.0.0', { status: 'rolled_back' })
  const sizeOf = async (from: Stored, name: string) =>
    bytesIn((await ask(server, from, `${name}.blockmap`)).body)
  expect(await sizeOf(file, 'Editor-1.1.0.exe')).toBe(50_000)
  expect(await sizeOf(file, 'Editor-1.0.0.exe')).toBe(50_000)
  expect(await sizeOf(beta, 'Editor-1.0.0.exe')).toBe(70_000)
  expect(await sizeOf(file, 'Editor-1.2.0-beta.exe')).toBe(60_000)
})

test('what no release of the app names has no block map', async () => {
  const server = await startHosting()
  await createApp(server.catalog, ACTOR, { ref: 'viewer', name: 'Viewer' })
  const file = await released(server, 'Editor-1.1.0.exe', '1.1.0')
  await released(server, 'Viewer-1.0.0.exe', '1.0.0', { app: 'viewer' })
  const image = await released(server, 'Editor-1.2.0.AppImage', '1.2.0')
  const unpublished = await store(server, 'Editor-1.0.0.exe')
  const status = async (from: Stored, name: string) => (await ask(server, from, name)).status
  expect(await status(unpublished, 'Editor-1.0.0.exe.blockmap')).toBe(404)
  for (const name of [
    ...['Editor-1.0.0.exe.blockmap', 'Viewer-1.0.0.exe.blockmap', 'Editor-1.1.0.exe.blockmaps'],
    ...['Editor-1.1.0.blockmap', 'editor-1.1.0.exe.blockmap', '.blockmap', 'Editor-1.0.0.exe'],
    ...['Editor-1.1.0.exe.blockmap.blockmap', 'Editor-1.2.0.AppImage.blockmap'],
  ]) {
    expect.soft(await status(file, name), name).toBe(404)
  }
  expect(await status(image, 'Editor-1.2.0.AppImage.blockmap')).toBe(404)
  expect(existsSync(join(server.artifacts, 'blockmaps'))).toBe(false)
})

test('a name as long as names can be has a block map, too', async () => {
  const server = await startHosting()
  const name = `${'E'.repeat(124)}.exe`
  const file = await released(server, name, '1.0.0')
  expect((await ask(server, file, `${name}.blockmap`)).status).toBe(200)
})

test('a block map is deleted with its file', async () => {
  const server = await startHosting()
  const { sha512 } = await store(server, 'Editor-1.0.0.exe')
  const folder = join(server.artifacts, 'blockmaps')
  mkdirSync(folder)
  writeFileSync(join(folder, sha512), 'a block map')
  expect((await server.call('DELETE', `/api/v1/files/${sha512}`)).status).toBe(200)
  expect(readdirSync(folder)).toEqual([])
})

test('a block map that was uploaded is a file of its own', async () => {
  const server = await startHosting()
  const file = await store(server, 'Editor-1.0.0.exe.blockmap')
  const { body } = await ask(server, file, 'Editor-1.0.0.exe.blockmap')
  expect(body.length).toBe(50_000)
})

test('a file in a bucket has a block map, which the server sends itself', async () => {
  stubCredentials()
  const s3 = await startS3()
  const server = await startHosting({ bucket: bucketPlace(s3) })
  const file = await released(server, 'Editor-1.0.0-mac.zip', '1.0.0')
  const { status, body } = await ask(server, file, 'Editor-1.0.0-mac.zip.blockmap')
  expect([status, bytesIn(body)]).toEqual([200, 50_000])
  expect(s3.keys()).toHaveLength(1)
})
