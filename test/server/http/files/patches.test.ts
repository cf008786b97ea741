// @module-tag long

import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { setAppArchived } from '../../../../src/server/catalog/apps.ts'
import { ACTOR } from '../../../support/builders/actor.ts'
import { noise } from '../../../support/builders/noise.ts'
import { patched } from '../../../support/builders/patches.ts'
import { eventually } from '../../../support/eventually.ts'
import { publish, serve } from '../../../support/servers/calls.ts'
import {
  downloadUrl,
  type HostingServer,
  startHosting,
  uploadFile,
} from '../../../support/servers/hosting.ts'
import {
  asking,
  type Hosted,
  patchBetween,
  release,
  releaseTwo,
} from '../../../support/servers/patched.ts'
import { bucketPlace, startS3, stubCredentials } from '../../../support/servers/s3-server.ts'

async function get(
  server: HostingServer,
  file: Hosted,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
) {
  const response = await fetch(downloadUrl(server, file), { method, headers, redirect: 'manual' })
  const body = Buffer.from(await response.arrayBuffer())
  const coding = response.headers.get('content-encoding')
  return { status: response.status, headers: response.headers, body, coding }
}

const patchesOf = (server: HostingServer): string[] => {
  const folder = join(server.artifacts, 'patches')
  return existsSync(folder) ? readdirSync(folder) : []
}

/** A version of a file that differs from every other in a few bytes. */
function versionOf(number: number): Buffer {
  const content = noise(100_000, 'base')
  content.writeUInt32LE(number, 50_000)
  return content
}

test('who has the version before gets a patch, which no cache stores', async () => {
  const server = await startHosting()
  const { base, next, file } = await releaseTwo(server)
  const answer = await get(server, file, asking(base))
  expect([answer.status, answer.coding]).toEqual([200, 'dcz'])
  expect(patched(base, answer.body).equals(next)).toBe(true)
  expect(answer.headers.get('content-length')).toBe(String(answer.body.length))
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('vary')).toBe('Accept-Encoding, Available-Dictionary')
  const whole = await get(server, file)
  expect([whole.coding, whole.headers.get('vary')]).toEqual([
    null,
    'Accept-Encoding, Available-Dictionary',
  ])
  expect(whole.headers.get('etag')).not.toBe(answer.headers.get('etag'))
  const { body: listed } = await server.call('GET', '/api/v1/files')
  expect(listed).toMatchObject({ patchBytes: answer.body.length })
  const head = await get(server, file, asking(base), 'HEAD')
  expect(head.headers.get('content-length')).toBe(String(answer.body.length))
})

test('everyone else gets the file', async () => {
  const server = await startHosting()
  const { base, next, old, file } = await releaseTwo(server)
  const { 'available-dictionary': available = '' } = asking(base)
  const others: Record<string, string>[] = [
    {},
    { 'accept-encoding': 'dcz' },
    { 'available-dictionary': available, 'accept-encoding': 'gzip, br, zstd' },
    { 'available-dictionary': available, 'accept-encoding': 'gzip, dcz;q=0' },
    { 'available-dictionary': available, 'accept-encoding': 'dczx' },
    { 'available-dictionary': available.slice(1, -1), 'accept-encoding': 'dcz' },
    { 'available-dictionary': `${available}, ${available}`, 'accept-encoding': 'dcz' },
    asking(next),
    asking(noise(10, 'another')),
  ]
  for (const headers of others) {
    const { coding, body } = await get(server, file, headers)
    expect.soft([coding, body.equals(next)], JSON.stringify(headers)).toEqual([null, true])
  }
  const part = await get(server, file, { ...asking(base), range: 'bytes=0-9' })
  expect([part.status, part.coding, part.body.length]).toEqual([206, null, 10])
  const first = await get(server, old, asking(next))
  expect([first.coding, first.headers.get('vary')]).toEqual([null, null])
})

test('requests make no patches: only releases that were offered do, of the last versions', async () => {
  const server = await startHosting()
  for (const number of [1, 2, 3, 4, 5]) {
    await release(server, `1.${number}.0`, versionOf(number))
  }
  // Not offered yet, and never offered.
  const hidden = await uploadFile(server, versionOf(6), 'Editor-1.6.0.zip')
  const artifacts = [{ platform: 'darwin', arch: 'arm64', ...hidden }].map(
    ({ platform, arch, url, sha512, size }) => ({ platform, arch, url, sha512, size }),
  )
  await publish(server, '1.6.0', { artifacts, rolloutPct: 0 })
  const file = await release(server, '1.7.0', versionOf(7))
  for (const number of [3, 4, 5]) await patchBetween(server, file, versionOf(number))
  for (const number of [1, 2, 6]) {
    expect((await get(server, file, asking(versionOf(number)))).coding).toBe(null)
  }
  // To 1.7.0 and 1.5.0, from three versions each.
  await eventually(() => expect(patchesOf(server)).toHaveLength(6))
  const before = patchesOf(server).sort()
  await Promise.all(
    [1, 2, 3, 4, 5, 6].map((number) => get(server, file, asking(versionOf(number)))),
  )
  // A round that begins after the requests finds nothing to make: it would come before this one's.
  const last = await release(server, '1.8.0', versionOf(8))
  await patchBetween(server, last, versionOf(7))
  const ids = (names: readonly string[]) => names.map((each) => each.slice(0, 65))
  const made = ids(patchesOf(server)).filter((each) => !ids(before).includes(each))
  expect(made.every((each) => each.startsWith(last.sha512.slice(0, 32)))).toBe(true)
})

test('a patch that is gone from the folder costs no download', async () => {
  const server = await startHosting()
  const { base, next, file } = await releaseTwo(server)
  const [name = ''] = patchesOf(server)
  rmSync(join(server.artifacts, 'patches', name))
  const { status, coding, body } = await get(server, file, asking(base))
  expect([status, coding, body.equals(next)]).toEqual([200, null, true])
})

test.for(['rolled_back', 'paused'] as const)(
  'patches to a release that is %s are deleted',
  async (status) => {
    const server = await startHosting()
    const { base, next, file } = await releaseTwo(server)
    await serve(server, '1.1.0', { status })
    await eventually(() => expect(patchesOf(server)).toEqual([]))
    const { coding, body } = await get(server, file, asking(base))
    expect([coding, body.equals(next)]).toEqual([null, true])
  },
)

test('the patches of an archived app are deleted', async () => {
  const server = await startHosting()
  await releaseTwo(server)
  const app = server.catalog.snapshot.appByName.get('editor')
  if (app === undefined) throw new Error('no app')
  await setAppArchived(server.catalog, ACTOR, app.record, true)
  await eventually(() => expect(patchesOf(server)).toEqual([]))
})

test('a patch is sent by the server where the files are in a bucket', async () => {
  stubCredentials()
  const s3 = await startS3()
  const server = await startHosting({ bucket: bucketPlace(s3) })
  const { base, next, file } = await releaseTwo(server)
  const { coding, body } = await get(server, file, asking(base))
  expect([coding, patched(base, body).equals(next)]).toEqual(['dcz', true])
  expect((await get(server, file)).status).toBe(302)
})
