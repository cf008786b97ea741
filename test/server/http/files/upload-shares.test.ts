// @module-tag long

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { STALLED_AFTER } from '../../../../src/server/hosting/uploads/shares.ts'
import { MAX_UPLOADS } from '../../../../src/server/hosting/uploads/space.ts'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import { temporaryFolder } from '../../../support/builders/folders.ts'
import { builtFile, startHosting, tusOf, uploadFile } from '../../../support/servers/hosting.ts'

const GIB = 1_024 ** 3

test('what a key announces and does not send keeps nobody from uploading', async () => {
  const server = await startHosting({ quotaGiB: 1 })
  const tus = tusOf(server)
  expect((await tus.begin({ size: GIB - 5_000 })).status).toBe(201)
  const key = await server.mint({ name: 'other' })
  const { content, sha512 } = builtFile(100_000)
  expect(await uploadFile({ address: server.address, key }, content)).toMatchObject({ sha512 })
  // What cannot fit is refused at once.
  const tooLarge = await tus.begin({ size: GIB + 1, key })
  expect(tooLarge).toMatchObject({ status: 422, text: expect.stringContaining('quota') })
})

test('when all places for uploads are taken, whoever has most of them gives one to others', async () => {
  const server = await startHosting()
  const tus = tusOf(server)
  const greedy = await server.mint({ name: 'greedy', app: 'editor' })
  const other = await server.mint({ name: 'other', app: 'editor' })
  const begun = []
  for (let count = 0; count < MAX_UPLOADS; count += 1) {
    begun.push(await tus.begin({ size: 1_000, key: greedy }))
  }
  expect(begun.map(({ status }) => status)).toEqual(Array(MAX_UPLOADS).fill(201))
  const more = await tus.begin({ size: 1, key: greedy })
  expect(more).toMatchObject({ status: 422, text: expect.stringContaining('100 uploads') })
  // Of the same app, then of another.
  expect((await tus.begin({ size: 1, key: other })).status).toBe(201)
  expect((await tus.begin({ size: 1 })).status).toBe(201)
  const states = await Promise.all(begun.map(({ url }) => tus.state(url, greedy)))
  expect(states.filter(({ status }) => status === 404)).toHaveLength(2)
})

test('uploads of a key are gone with the key', async () => {
  const server = await startHosting()
  const tus = tusOf(server)
  const key = await server.mint({ name: 'leaked' })
  const { url } = await tus.begin({ size: 1_000, key })
  await tus.append(url, 0, Buffer.from('01234'), key)
  const own = await tus.begin({ size: 1_000 })
  await server.updates.revokeKey(PRINCIPAL, key.slice(0, 8))
  const kept = readdirSync(join(server.artifacts, 'uploads')).join()
  expect(kept).not.toContain(url.slice(-32))
  expect(await tus.state(own.url)).toMatchObject({ status: 200 })
})

test('an upload without progress gives its space to whoever holds less', async () => {
  const MIB = 1_024 ** 2
  const folder = join(temporaryFolder(), 'artifacts')
  const usedBytes = () =>
    ['uploads', 'files']
      .flatMap((name) => readdirSync(join(folder, name)).map((file) => join(folder, name, file)))
      .reduce((sum, file) => sum + statSync(file).size, 0)
  const disk = { freeBytes: async () => 90 * MIB - usedBytes() }
  let now = Date.now()
  const server = await startHosting({ folder }, { parts: { disk, clock: () => now } })
  const tus = tusOf(server)
  const greedy = await server.mint({ name: 'greedy' })
  const { url } = await tus.begin({ size: 70 * MIB, key: greedy })
  await tus.append(url, 0, Buffer.alloc(30 * MIB), greedy)
  // While bytes arrive, it keeps its space.
  expect((await tus.begin({ size: 50 * MIB })).text).toContain('disk')
  now += STALLED_AFTER
  await tus.append(url, 30 * MIB, Buffer.of(0), greedy)
  now += 1
  const other = await tus.begin({ size: 50 * MIB })
  expect(other.status).toBe(201)
  expect((await tus.state(url, greedy)).status).toBe(404)
  expect((await tus.append(other.url, 0, Buffer.alloc(50 * MIB))).status).toBe(200)
})

test('a key lists and deletes its own uploads; people list and delete all', async () => {
  const server = await startHosting()
  const tus = tusOf(server)
  const key = await server.mint({ name: 'ci', app: 'editor' })
  const { url } = await tus.begin({ size: 1_000, key })
  await tus.append(url, 0, Buffer.from('01234'), key)
  const listed = async (of: string) =>
    (await server.call('GET', '/api/v1/uploads', { key: of })).body.uploads
  expect(await listed(key)).toEqual([
    {
      ...{ id: url.slice(-32), name: 'Editor-1.0.0.AppImage', offset: 5, size: 1_000, by: 'ci' },
      progressAt: expect.any(String),
    },
  ])
  expect(await listed(server.key)).toEqual([])
  const path = `/api/v1/uploads/${url.slice(-32)}`
  expect((await server.call('DELETE', path)).status).toBe(404)
  expect((await server.updates.listUploads(PRINCIPAL)).uploads).toHaveLength(1)
  expect((await server.call('DELETE', path, { key })).status).toBe(204)
  const again = await tus.begin({ size: 1_000, key })
  await server.updates.deleteUpload(PRINCIPAL, { id: again.url.slice(-32) })
  expect(await listed(key)).toEqual([])
})
