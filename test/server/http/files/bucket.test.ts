// @module-tag long

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { ServerConfigInput } from '../../../../src/server/config.ts'
import { FILE_LIFE } from '../../../../src/server/hosting/collection.ts'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import { publishBody } from '../../../support/builders/releases.ts'
import { auditOf, RELEASES } from '../../../support/servers/calls.ts'
import { isOnPostgres } from '../../../support/servers/engine.ts'
import {
  builtFile,
  downloadUrl,
  type HostingServer,
  PUBLIC_URL,
  startHosting,
  tusOf,
  uploadFile,
} from '../../../support/servers/hosting.ts'
import {
  bucketPlace,
  isPiece,
  PASS,
  type S3Server,
  startS3,
  stubCredentials,
} from '../../../support/servers/s3-server.ts'
import { startServer } from '../../../support/servers/server.ts'

interface Options {
  readonly hosting?: Partial<NonNullable<ServerConfigInput['hosting']>>
  /** A server that has stopped, whose data this one goes on with. */
  readonly after?: HostingServer
  readonly clock?: () => number
  readonly config?: Partial<ServerConfigInput>
}

/** A server that keeps its files in the bucket, and what it logs. */
async function serve(s3: S3Server, options: Options = {}) {
  const { hosting, after, clock = Date.now, config = {} } = options
  const lines: string[] = []
  const log = pino({ level: 'warn' }, { write: (line) => lines.push(line) })
  const own = { bucket: bucketPlace(s3, { prefix: 'files/', lookAgain: 100 }), ...hosting }
  const logged = () => lines.join('')
  if (after === undefined) {
    const server = await startHosting(own, { log, parts: { clock }, config })
    return { server, tus: tusOf(server), logged }
  }
  const { folder: dataFolder, artifacts, key } = after
  const kept = { dataFolder, hosting: { publicUrl: PUBLIC_URL, ...own, folder: artifacts } }
  const server = { ...(await startServer(kept, log, { clock })), artifacts, key }
  return { server, tus: tusOf(server), logged }
}

async function start(options: Options = {}) {
  stubCredentials()
  const s3 = await startS3()
  return { s3, ...(await serve(s3, options)) }
}

const get = (url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  fetch(url, { headers, method, redirect: 'manual' })

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

/** Keys of the files. */
const storedIn = (s3: S3Server) => s3.keys().filter((key) => !isPiece(key))

const CONTENT = Buffer.from('0123456789abcdefghij')
/** More than one part. */
const LARGE = 20 * 1_024 ** 2

test('an upload becomes an object, and devices are sent to it, without a request of the server', async () => {
  const { s3, server } = await start()
  const { content, sha512 } = builtFile(100_000)
  const file = await uploadFile(server, content, 'Größe 1.0.AppImage')
  expect(file.url).toContain(`/files/${sha512.slice(0, 32)}/`)
  expect(s3.keys()).toEqual([`files/${sha512}/Größe=201.0.AppImage`])
  expect(readFileSync(s3.fileOf(s3.keys()[0] ?? '')).equals(content)).toBe(true)
  expect(readdirSync(join(server.artifacts, 'uploads'))).toEqual([])

  const asked = s3.requests.length
  const url = downloadUrl(server, file)
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => get(url)))
  expect(answers.map(({ status }) => status)).toEqual([302, 302, 302, 302, 302])
  expect(answers[0]?.headers.get('cache-control')).toBe('no-store')
  const location = answers[0]?.headers.get('location') ?? ''
  expect(new URL(location).origin).toBe(s3.endpoint)
  expect(new URL(location).searchParams.get('X-Amz-Expires')).toBe('21600')
  for (const path of [
    `${'0'.repeat(32)}/x`,
    `${sha512}/x`,
    `${sha512.slice(0, 32)}/app.blockmap`,
  ]) {
    expect((await get(`${server.address}/files/${path}`)).status).toBe(404)
  }
  expect((await get(`${url}.blockmap`)).status).toBe(404)
  expect(s3.requests).toHaveLength(asked)

  const followed = await fetch(url)
  expect((await bytesOf(followed)).equals(content)).toBe(true)
  expect(Object.fromEntries(followed.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-disposition': "attachment; filename*=UTF-8''Gr%C3%B6%C3%9Fe%201.0.AppImage",
    'cache-control': 'public, max-age=31536000, immutable',
  })
  const part = await fetch(url, { headers: { range: 'bytes=500-999' } })
  expect([part.status, (await bytesOf(part)).equals(content.subarray(500, 1_000))]).toEqual([
    206,
    true,
  ])
  const head = await fetch(url, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '100000'])
  // Only whoever has the signature reads the bucket.
  expect((await get(location.replace(/Signature=../, 'Signature=zz'))).status).toBe(403)
})

test('a release that names a file keeps it; another one is deleted by hand, or after a day', async () => {
  let offset = 0
  const clock = () => Date.now() + offset
  const { s3, server } = await start({ clock })
  const [used, unused, deleted] = [
    await uploadFile(server, builtFile(100).content),
    await uploadFile(server, builtFile(100).content),
    await uploadFile(server, builtFile(100).content),
  ]
  const { url, sha512, size } = used
  const artifacts = [{ platform: 'linux', arch: 'x64', url, sha512, size }]
  await server.call('POST', RELEASES, { body: publishBody('1.0.0', { artifacts }) })
  expect((await server.call('DELETE', `/api/v1/files/${sha512}`)).status).toBe(422)
  expect((await server.call('DELETE', `/api/v1/files/${deleted.sha512}`)).status).toBe(200)
  const stored = () => s3.keys().map((key) => key.split('/')[1])
  expect(stored()).toEqual([sha512, unused.sha512].sort())
  await server.stop()
  offset = FILE_LIFE + 60_000
  await serve(s3, { after: server, clock })
  await expect.poll(stored).toEqual([sha512])
})

test('a large file is sent in parts', async () => {
  const { s3, server } = await start()
  const { content } = builtFile(LARGE)
  const file = await uploadFile(server, content)
  expect(s3.requests.filter(({ operation }) => operation === 'PUT part')).toHaveLength(3)
  expect(s3.unfinished()).toEqual([])
  expect((await bytesOf(await fetch(downloadUrl(server, file)))).equals(content)).toBe(true)
})

test('when the bucket is lost between two parts, nothing is left and the upload can go on', async () => {
  const { s3, server, tus } = await start()
  const { content, sha512 } = builtFile(LARGE)
  let parts = 0
  s3.fault = ({ operation }) => {
    if (operation === 'PUT part') parts += 1
    return operation === 'PUT part' && parts > 1 ? 'cut' : PASS
  }
  const { url } = await tus.begin({ size: LARGE, sha512 })
  const failed = await tus.append(url, 0, content)
  expect(failed.status).toBe(503)
  expect(JSON.parse(failed.text).error).toMatch(
    /^the bucket studio cannot be used: its server does not respond \(\w+\); check --s3-endpoint/,
  )
  expect([storedIn(s3), s3.unfinished()]).toEqual([[], []])
  expect((await server.call('GET', '/api/v1/files')).body.files).toEqual([])

  s3.fault = () => PASS
  // A try that began before can fail yet.
  const state = async () => {
    const { status, headers } = await tus.state(url)
    return [status, headers.get('upload-offset')]
  }
  await expect.poll(state, { timeout: 20_000 }).toEqual([200, String(LARGE)])
  const { file } = (await server.call('GET', `/api/v1/files/${sha512}`)).body
  expect((await bytesOf(await fetch(downloadUrl(server, file)))).equals(content)).toBe(true)
  const recorded = (await auditOf(server)).filter(({ action }) => action === 'file.uploaded')
  expect(recorded).toHaveLength(1)
  expect(readdirSync(join(server.artifacts, 'uploads'))).toEqual([])
})

test('a server that stops while it sends a file sends it after the next start', async () => {
  const { s3, server, tus } = await start()
  const { content, sha512 } = builtFile(LARGE)
  const held = Promise.withResolvers<undefined>()
  const reached = Promise.withResolvers<void>()
  s3.fault = async ({ operation }) => {
    if (operation !== 'PUT part') return PASS
    reached.resolve()
    return await held.promise
  }
  const { url } = await tus.begin({ size: LARGE, sha512 })
  const sent = tus.append(url, 0, content).catch(() => undefined)
  await reached.promise
  await server.stop()
  held.resolve(PASS)
  await sent
  s3.fault = () => PASS
  const next = await serve(s3, { after: server })
  expect(next.server.artifacts).toBe(server.artifacts)
  expect((await next.server.call('GET', '/api/v1/files')).body.files).toEqual([])
  // Whoever began the upload hears of it once it is there.
  const { key } = server
  const { file } = (await next.server.call('GET', `/api/v1/files/${sha512}`, { key })).body
  expect((await bytesOf(await fetch(downloadUrl(next.server, file)))).equals(content)).toBe(true)
})

test('a file that takes long is on its way, and can be asked for until it is there', async () => {
  const { s3, server, tus } = await start({ hosting: { storeWithin: 50 } })
  const { content, sha512 } = builtFile(1_000)
  const held = Promise.withResolvers<undefined>()
  s3.fault = ({ operation }) => (operation === 'PUT object' ? held.promise : PASS)
  const { url } = await tus.begin({ name: 'Editor.exe', size: 1_000, sha512 })
  const answer = await tus.append(url, 0, content)
  expect(answer.status).toBe(503)
  expect(JSON.parse(answer.text).error).toContain('Editor.exe has arrived and is being copied')
  const found = async () => (await server.call('GET', `/api/v1/files/${sha512}`)).body
  expect(await found()).toEqual({
    file: null,
    upload: { id: url.slice(-32), offset: 1_000, size: 1_000 },
  })
  held.resolve(PASS)
  await expect.poll(async () => (await found()).file?.sha512).toBe(sha512)
})

test('without the bucket, the server starts and answers checks; it goes on once the bucket is back', async () => {
  stubCredentials()
  const s3 = await startS3()
  const first = await serve(s3)
  const file = await uploadFile(first.server, builtFile(100).content)
  await first.server.stop()
  await s3.stop()
  const { server, tus, logged } = await serve(s3, { after: first.server })
  const check = '/u/editor/stable/linux/x86_64/1.0.0'
  expect((await server.call('GET', check, { key: null })).status).toBe(204)
  const download = await get(downloadUrl(server, file))
  expect(download.status).toBe(503)
  expect(download.headers.get('retry-after')).toBe('30')
  expect(await download.json()).toEqual({
    error: 'this file cannot be downloaded at the moment; try again later',
  })
  const refused = /^the bucket studio cannot be used: its server does not respond/
  const { url, sha512, size } = file
  const artifacts = [{ platform: 'linux', arch: 'x64', url, sha512, size }]
  const body = publishBody('1.0.0', { artifacts })
  // Servers that share their files know them without the bucket.
  expect(await server.call('POST', RELEASES, { body })).toMatchObject(
    isOnPostgres
      ? { status: 201 }
      : { status: 503, body: { error: expect.stringMatching(refused) } },
  )
  expect((await tus.begin({ size: 1 })).status).toBe(503)
  const listed = await server.call('GET', '/api/v1/files')
  expect([listed.status, listed.headers.get('retry-after')]).toEqual([503, '5'])
  expect(listed.body.error).toMatch(refused)
  expect(logged()).toContain('could not use the bucket for stored files')
  await s3.restart()
  await expect.poll(async () => (await get(downloadUrl(server, file))).status).toBe(302)
  expect((await tus.begin({ size: 1 })).status).toBe(201)
})

test('wrong credentials are named, and neither they nor what they signed are shown or logged', async () => {
  const SECRET = 'not-the-secret-of-this-account'
  stubCredentials(SECRET)
  const s3 = await startS3()
  const { server, logged } = await serve(s3)
  const { status, body } = await server.call('GET', '/api/v1/files')
  expect(status).toBe(503)
  expect(body.error).toBe(
    'the bucket studio cannot be used: its server rejected the credentials (SignatureDoesNotMatch); check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the credentials file',
  )
  expect(logged()).toContain('credentials_rejected')
  for (const secret of [SECRET, 'S3RVER', 'AWS4-HMAC', 'StringToSign']) {
    expect.soft(logged()).not.toContain(secret)
  }
})

test('an object that is gone is found, logged and unknown, and can be uploaded again', async () => {
  stubCredentials()
  const s3 = await startS3()
  const bucket = bucketPlace(s3, { lookEvery: 50 })
  const { server, logged } = await serve(s3, { hosting: { bucket } })
  const { content, sha512 } = builtFile(100)
  const file = await uploadFile(server, content)
  rmSync(s3.fileOf(s3.keys()[0] ?? ''))
  await expect.poll(async () => (await get(downloadUrl(server, file))).status).toBe(404)
  expect(logged()).toContain('stored file lost')
  expect(logged()).toContain(sha512)
  await uploadFile(server, content)
  expect((await fetch(downloadUrl(server, file))).status).toBe(200)
})

test('a file in the bucket is proven from there, without an allowed host', async () => {
  const { s3, server } = await start({ config: { proving: { lookEvery: 20 } } })
  const files = [await uploadFile(server, builtFile(100_000).content)]
  files.push(await uploadFile(server, builtFile(10).content), await uploadFile(server, CONTENT))
  const artifacts = files.map(({ url, sha512, size }, index) => {
    return { platform: `platform${index}`, arch: 'x64', url, sha512, size }
  })
  await server.call('POST', RELEASES, { body: publishBody('1.0.0', { artifacts }) })
  const keyOf = (index: number) => s3.keys().find((key) => key.includes(files[index]?.sha512)) ?? ''
  rmSync(s3.fileOf(keyOf(1)))
  writeFileSync(s3.fileOf(keyOf(2)), Buffer.alloc(CONTENT.length))
  const place = { app: 'editor', channel: 'stable', version: '1.0.0' }
  await server.updates.startProof(PRINCIPAL, place)
  await expect
    .poll(async () => (await server.updates.showProof(PRINCIPAL, place)).state, { timeout: 30_000 })
    .toBe('failed')
  expect((await server.updates.showProof(PRINCIPAL, place)).artifacts).toMatchObject([
    { state: 'proven' },
    { state: 'failed', failure: { code: 'status', status: 404 } },
    { state: 'failed', failure: { code: 'hash_differs' } },
  ])
})

test('a release cannot name a file that is not in the bucket', async () => {
  const { server } = await start()
  const { url, sha512, size } = await uploadFile(server, CONTENT)
  await server.call('DELETE', `/api/v1/files/${sha512}`)
  const artifacts = [{ platform: 'linux', arch: 'x64', url, sha512, size }]
  const body = publishBody('1.0.0', { artifacts })
  const refused = await server.call('POST', RELEASES, { body })
  expect([refused.status, refused.body.error]).toEqual([
    400,
    expect.stringContaining('artifacts.0'),
  ])
})

test('a file that could not be deleted is known again', async () => {
  const { s3, server } = await start()
  const { sha512 } = await uploadFile(server, CONTENT)
  s3.fault = ({ operation }) => (operation === 'DELETE object' ? 403 : PASS)
  const refused = await server.call('DELETE', `/api/v1/files/${sha512}`)
  expect([refused.status, refused.body.error]).toEqual([503, expect.stringContaining('access')])
  expect((await server.call('GET', '/api/v1/files')).body.files).toMatchObject([{ sha512 }])
  s3.fault = () => PASS
  expect((await server.call('DELETE', `/api/v1/files/${sha512}`)).status).toBe(200)
  expect(s3.keys()).toEqual([])
})
