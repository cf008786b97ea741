import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createApp } from '../../../../src/server/catalog/apps.ts'
import { MAX_FILE_BYTES } from '../../../../src/shared/files/hosted-file.ts'
import { ACTOR } from '../../../support/builders/actor.ts'
import { publishBody } from '../../../support/builders/releases.ts'
import { auditOf, RELEASES } from '../../../support/servers/calls.ts'
import {
  builtFile,
  downloadUrl,
  PUBLIC_URL,
  startHosting,
  tusOf,
  uploadFile,
} from '../../../support/servers/hosting.ts'
import { startWithApp } from '../../../support/servers/server.ts'

const NAME = 'Editor 1.0.0 größe.AppImage'

test('a file that was uploaded in pieces is downloaded as it was, under its public address', async () => {
  const server = await startHosting()
  const tus = tusOf(server)
  const { content, sha512 } = builtFile(300_000)
  const begun = await tus.begin({ name: NAME, size: content.length, sha512 })
  expect(begun.status).toBe(201)
  const first = await tus.append(begun.url, 0, content.subarray(0, 100_000))
  expect(first).toMatchObject({ status: 204, text: '' })
  expect(first.headers.get('upload-offset')).toBe('100000')
  expect(first.headers.get('upload-expires')).not.toBeNull()
  const last = await tus.append(begun.url, 100_000, content.subarray(100_000))
  expect(last.status).toBe(200)
  const { file } = JSON.parse(last.text)
  const name = encodeURIComponent(NAME)
  expect(file).toEqual({
    ...{ sha512, name: NAME, size: 300_000 },
    url: `${PUBLIC_URL}/files/${sha512.slice(0, 32)}/${name}`,
    storedAt: expect.any(String),
  })

  const response = await fetch(downloadUrl(server, file))
  expect(response.status).toBe(200)
  expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true)
  expect((await tus.state(begun.url)).headers.get('upload-offset')).toBe('300000')
  expect(readdirSync(join(server.artifacts, 'uploads'))).toEqual([])
  const [entry] = (await auditOf(server)).filter(({ action }) => action === 'file.uploaded')
  expect(entry?.after).toEqual({ name: NAME, size: 300_000, sha512 })
})

test('content that differs from the announced SHA-512 is refused and leaves nothing behind', async () => {
  const server = await startHosting()
  const tus = tusOf(server)
  const { url } = await tus.begin({ size: 10, sha512: 'ab'.repeat(64) })
  const refused = await tus.append(url, 0, Buffer.from('0123456789'))
  expect(refused.status).toBe(400)
  expect(JSON.parse(refused.text).error).toContain('does not have the announced SHA-512')
  expect((await tus.state(url)).status).toBe(404)
  expect(readdirSync(join(server.artifacts, 'uploads'))).toEqual([])
  expect(readdirSync(join(server.artifacts, 'files'))).toEqual([])
  expect((await server.call('GET', '/api/v1/files')).body.files).toEqual([])
})

test('an upload belongs to the key that began it, and pieces must follow each other', async () => {
  const server = await startHosting()
  const tus = tusOf(server)
  const other = await server.mint({ name: 'other' })
  const { url } = await tus.begin({ size: 10 })
  await tus.append(url, 0, Buffer.from('01234'))
  expect((await tus.state(url, other)).status).toBe(404)
  expect((await tus.append(url, 5, Buffer.from('56789'), other)).status).toBe(404)
  expect((await tus.remove(url, other)).status).toBe(404)
  expect((await tus.append(url, 7, Buffer.from('789'))).status).toBe(409)
  expect((await tus.append(url, 5, Buffer.from('56789too much'))).status).toBe(413)
  expect((await tus.state(url)).headers.get('upload-offset')).toBe('5')
  expect((await tus.remove(url)).status).toBe(204)
  expect((await tus.state(url)).status).toBe(404)
})

test('two keys of the same name in different apps share nothing, and the audit log tells them apart', async () => {
  const server = await startHosting()
  await createApp(server.catalog, ACTOR, { ref: 'player' })
  const editor = await server.mint({ name: 'CI', app: 'editor' })
  const player = await server.mint({ name: 'CI', app: 'player' })
  const tus = tusOf(server)
  const { content, sha512 } = builtFile(10)
  const { url } = await tus.begin({ size: 10, sha512, key: editor })
  await tus.append(url, 0, content.subarray(0, 5), editor)
  expect((await tus.state(url, player)).status).toBe(404)
  expect((await tus.append(url, 5, content.subarray(5), player)).status).toBe(404)
  expect((await tus.remove(url, player)).status).toBe(404)
  const found = await server.call('GET', `/api/v1/files/${sha512}`, { key: player })
  expect(found.body).toEqual({ file: null, upload: null })
  expect((await tus.append(url, 5, content.subarray(5), editor)).status).toBe(200)
  const [entry] = (await auditOf(server)).filter(({ action }) => action === 'file.uploaded')
  expect(entry?.actor).toEqual({ kind: 'key', name: 'CI', keyPrefix: editor.slice(0, 8) })
})

test('uploads need the scope publish, a name without a folder, and a server that keeps files', async () => {
  const server = await startHosting()
  const tus = tusOf(server)
  const reader = await server.mint({ scopes: ['read'] })
  expect((await tus.begin({ size: 1, key: reader })).status).toBe(403)
  expect((await tus.begin({ size: 1, key: 'tg_wrong' })).status).toBe(401)
  for (const name of ['../evil', 'a/b', 'a\\b', '..', 'x'.repeat(129)]) {
    expect.soft(await tus.begin({ size: 1, name }), name).toMatchObject({ status: 400 })
  }
  expect((await tus.begin({ size: 0 })).status).toBe(400)
  expect((await tus.begin({ size: 2 ** 41 })).status).toBe(413)
  expect(readdirSync(join(server.artifacts, 'uploads'))).toEqual([])
  const without = await startWithApp()
  const off = await tusOf(without).begin({ size: 1 })
  expect(off).toMatchObject({ status: 404, text: expect.stringContaining('--artifacts') })
})

test('anyone can ask what the server supports, where it keeps files', async () => {
  const server = await startHosting()
  const asked = await fetch(`${server.address}/api/v1/uploads`, { method: 'OPTIONS' })
  expect(asked.status).toBe(204)
  expect(Object.fromEntries(asked.headers)).toMatchObject({
    ...{ 'tus-resumable': '1.0.0', 'tus-version': '1.0.0' },
    'tus-extension': 'creation,creation-with-upload,termination,expiration',
    'tus-max-size': String(MAX_FILE_BYTES),
  })
  expect(asked.headers.get('access-control-allow-origin')).toBeNull()
  const of = (path: string) => server.call('OPTIONS', path, { key: null })
  expect((await of(`/api/v1/uploads/${'ab'.repeat(16)}`)).status).toBe(204)
  expect((await of('/api/v1/uploads/more')).status).toBe(404)
  const without = await startWithApp()
  expect((await without.call('OPTIONS', '/api/v1/uploads', { key: null })).status).toBe(404)
})

test('the quota counts files and what has arrived of uploads, and the disk keeps its minimum', async () => {
  const GIB = 1_024 ** 3
  const server = await startHosting({ quotaGiB: 1 })
  const tus = tusOf(server)
  await uploadFile(server, builtFile(1_000).content)
  const begun = await tus.begin({ size: GIB - 1_000 })
  expect(begun.status).toBe(201)
  const full = await tus.begin({ size: GIB - 1_000 })
  expect(full.status).toBe(422)
  expect(JSON.parse(full.text).error).toContain('quota')
  await tus.remove(begun.url)
  expect((await tus.begin({ size: GIB - 1_000 })).status).toBe(201)

  const disk = { freeBytes: () => Promise.resolve(5_000) }
  const small = tusOf(await startHosting({}, { parts: { disk } }))
  expect((await small.begin({ size: 5_001 })).text).toContain('disk')
  expect((await small.begin({ size: 4_000 })).status).toBe(201)
  expect((await small.begin({ size: 4_000 })).status).toBe(422)
})

test('a file is found by its hash, so that nobody uploads it twice; an upload is found by who began it', async () => {
  const server = await startHosting()
  const tus = tusOf(server)
  const { content, sha512 } = builtFile(1_000)
  const find = async (key = server.key) =>
    (await server.call('GET', `/api/v1/files/${sha512}`, { key })).body
  expect(await find()).toEqual({ file: null, upload: null })
  const { url } = await tus.begin({ size: 1_000, sha512 })
  await tus.append(url, 0, content.subarray(0, 400))
  const upload = { id: url.slice(-32), offset: 400, size: 1_000 }
  expect(await find()).toEqual({ file: null, upload })
  expect(await find(await server.mint({ name: 'other' }))).toEqual({ file: null, upload: null })
  await tus.append(url, 400, content.subarray(400))
  const { file } = await find()
  expect(file).toMatchObject({ sha512, size: 1_000 })
  const again = await uploadFile(server, content, 'other name')
  expect(again).toMatchObject({ name: file.name, url: file.url })
  expect((await server.call('GET', '/api/v1/files')).body).toMatchObject({
    files: [{ sha512, uses: 0 }],
    ...{ bytes: 1_000, patchBytes: 0, quotaBytes: null },
  })
})

test('a file that a release names is not deleted', async () => {
  const server = await startHosting()
  const { url, sha512, size } = await uploadFile(server, builtFile(100).content)
  const artifacts = [{ platform: 'linux', arch: 'x64', url, sha512, size }]
  await server.call('POST', RELEASES, { body: publishBody('1.0.0', { artifacts }) })
  const path = `/api/v1/files/${sha512}`
  expect((await server.call('DELETE', path)).body).toEqual({
    error: 'Editor-1.0.0.AppImage is used by release 1.0.0 of editor/stable',
  })
  const unused = await uploadFile(server, builtFile(100).content)
  expect((await server.call('DELETE', `/api/v1/files/${unused.sha512}`)).status).toBe(200)
  expect((await fetch(downloadUrl(server, unused))).status).toBe(404)
  expect((await fetch(downloadUrl(server, { url }))).status).toBe(200)
  const bound = await server.mint({ app: 'editor' })
  expect((await server.call('DELETE', path, { key: bound })).status).toBe(403)
  expect((await server.call('GET', '/api/v1/files', { key: bound })).status).toBe(403)
})

test('no release names a file under a name that it does not have', async () => {
  const server = await startHosting()
  const file = await uploadFile(server, builtFile(20).content)
  const at = (url: string) => ({
    ...{ app: 'editor', channel: 'stable', version: '1.0.0' },
    artifacts: [{ platform: 'linux', arch: 'x86_64', url, sha512: file.sha512, size: file.size }],
  })
  const wrong = await server.call('POST', '/api/v1/releases', { body: at(`${file.url}.blockmap`) })
  expect([wrong.status, wrong.body.error]).toEqual([
    400,
    expect.stringMatching(/^artifacts\.0\.url/),
  ])
  const right = await server.call('POST', '/api/v1/releases', { body: at(file.url) })
  expect(right.status).toBe(201)
})
