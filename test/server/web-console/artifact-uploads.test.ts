import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { UPLOAD_PIECE } from '../../../src/shared/console/uploads.ts'
import { PRINCIPAL } from '../../support/builders/actor.ts'
import { temporaryFolder } from '../../support/builders/folders.ts'
import { noise } from '../../support/builders/noise.ts'
import { pageHeaders, send, startBrowserConsole } from '../../support/servers/browser.ts'
import { check, serve } from '../../support/servers/calls.ts'
import { commandLineToken } from '../../support/servers/command-line.ts'
import { callerOf } from '../../support/servers/console.ts'
import { isOnPostgres } from '../../support/servers/engine.ts'
import { builtFile, metadataOf, PUBLIC_URL } from '../../support/servers/hosting.ts'
import { patchBetween } from '../../support/servers/patched.ts'
import type { TestServer } from '../../support/servers/server.ts'
import { firstAdministrator } from '../../support/servers/signed-in.ts'
import { changed, MIB, MOST, startWithVersions } from '../../support/updaters/changed-files.ts'

const PAGE = '/console/artifacts/uploads'
const PROGRAM = '/console/command-line/uploads'

function tusHeaders(size: number): Record<string, string> {
  return {
    ...{ 'tus-resumable': '1.0.0', 'upload-length': String(size) },
    'upload-metadata': metadataOf({ filename: 'Editor.exe' }),
  }
}

async function start() {
  const folder = join(temporaryFolder(), 'artifacts')
  const server = await startBrowserConsole({ hosting: { folder, publicUrl: PUBLIC_URL } })
  const { cookie } = await firstAdministrator(server)
  const page = { ...pageHeaders(server.address, cookie), ...tusHeaders(5) }
  const begin = (headers: Record<string, string>, path = PAGE) =>
    send(server.address, path, { method: 'POST', headers })
  return { server, folder, cookie, page, begin }
}

test('only the page of the console uploads with a session, and nobody in its name', async () => {
  const { server, folder, cookie, page, begin } = await start()
  const without = (name: string) =>
    Object.fromEntries(Object.entries(page).filter(([key]) => key !== name))
  const refused = [
    { ...page, origin: 'https://evil.example' },
    ...[without('origin'), without('tidegate-console')],
  ]
  for (const headers of refused) expect.soft((await begin(headers)).status).toBe(403)
  expect((await begin(without('cookie'))).status).toBe(401)
  // A key is for the public API, and a cookie never for it.
  const key = { authorization: `Bearer ${server.key}` }
  expect((await begin({ ...without('cookie'), ...key })).status).toBe(401)
  expect((await begin(page, '/api/v1/uploads')).status).toBe(401)
  expect(readdirSync(join(folder, 'uploads'))).toEqual([])

  const begun = await begin(page)
  expect(begun.status).toBe(201)
  const path = new URL(String(begun.headers.location), `${server.address}${PAGE}`).pathname
  expect(path).toMatch(/^\/console\/artifacts\/uploads\/[0-9a-f]{32}$/)
  const patch = {
    ...{ ...pageHeaders(server.address, cookie), 'tus-resumable': '1.0.0' },
    ...{ 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
  }
  const foreign = { ...patch, origin: 'https://evil.example' }
  const sent = { method: 'PATCH', body: 'hello' }
  expect((await send(server.address, path, { ...sent, headers: foreign })).status).toBe(403)
  const { status, text } = await send(server.address, path, { ...sent, headers: patch })
  expect([status, JSON.parse(text).file]).toMatchObject([200, { name: 'Editor.exe', size: 5 }])
})

test('pieces become a file, and a refused one says why in facts', async () => {
  const { server, cookie } = await start()
  const headers = pageHeaders(server.address, cookie)
  const call = async (path: string, input: unknown) => {
    const body = JSON.stringify({ 0: input })
    const answer = await send(server.address, `/console/api/${path}?batch=1`, {
      ...{ method: 'POST', headers, body },
    })
    return JSON.parse(answer.text)[0]
  }
  const put = async (query: object, body: string, own = headers) => {
    const path = `/console/uploads/piece?${new URLSearchParams({ ...query })}`
    const { status, text } = await send(server.address, path, { method: 'PUT', headers: own, body })
    return { status, body: JSON.parse(text) }
  }
  const { content, sha512 } = builtFile(3)
  const wrong = { name: 'Editor.exe', size: 10, sha512 }
  const { id } = (await call('files.begin', wrong)).result.data
  const foreign = { ...headers, origin: 'https://evil.example' }
  expect((await put({ id, offset: '0' }, 'hello', foreign)).status).toBe(403)
  expect(await put({ id, offset: '0' }, 'hello')).toEqual({
    ...{ status: 200, body: { offset: 5, file: null } },
  })
  const refusalOf = async (query: object, body: string) =>
    (await put(query, body)).body.callError.refusal
  expect(await refusalOf({ id, offset: '0' }, 'hello')).toEqual({ code: 'upload_busy' })
  expect(await refusalOf({ id, offset: '5' }, '123456')).toMatchObject({ path: ['content'] })
  expect(await refusalOf({ id: 'other', offset: '0' }, 'a')).toEqual({
    code: 'unknown_file_upload',
  })
  expect((await call('files.find', { sha512 })).result.data.upload).toEqual({
    id,
    offset: 5,
    size: 10,
  })
  expect(await refusalOf({ id, offset: '5' }, '12345')).toMatchObject({ code: 'upload_differs' })

  const text = content.toString('latin1').replace(/[^a-z]/g, 'x')
  const own = { name: 'Editor.exe', size: text.length, sha512: null }
  const begun = (await call('files.begin', own)).result.data
  const { file } = (await put({ id: begun.id, offset: '0' }, text)).body
  expect(file).toMatchObject({ name: 'Editor.exe', size: 3 })
})

test('two pieces of one upload never mix', async () => {
  const { server } = await start()
  const upload = { name: 'Editor.exe', size: 2, sha512: null }
  const { id } = await server.updates.beginUpload(PRINCIPAL, upload)
  const arrive = Promise.withResolvers<void>()
  async function* slow() {
    await arrive.promise
    yield Buffer.from('a')
  }
  const append = (piece: AsyncIterable<Uint8Array>) =>
    server.updates.appendPiece(PRINCIPAL, { id, offset: 0 }, piece)
  const first = append(slow())
  const second = append(Readable.from([Buffer.from('b')]))
  await Promise.allSettled([second])
  arrive.resolve()
  const outcomes = await Promise.allSettled([first, second])
  // The one that begins first is taken, or, where no node knows what arrives at another, the one that ends first.
  const [taken, refused] = isOnPostgres ? outcomes.toReversed() : outcomes
  expect(taken).toEqual({ status: 'fulfilled', value: { offset: 1, file: null } })
  expect(refused).toMatchObject({ status: 'rejected', reason: { facts: { code: 'upload_busy' } } })
})

test('the command line uploads with its session, never with a cookie, and finds what it began', async () => {
  const { server, page, begin } = await start()
  const [account] = server.people.list()
  const [session] = server.people.sessionsOf(account?.id ?? '')
  if (session === undefined) throw new Error('nobody is signed in')
  const token = await commandLineToken(server.people, session)
  const headers = { ...tusHeaders(5), authorization: `Bearer ${token}` }
  expect((await begin({ ...tusHeaders(5) }, PROGRAM)).status).toBe(401)
  expect((await begin({ ...headers, cookie: page.cookie ?? '' }, PROGRAM)).status).toBe(403)
  expect((await begin(headers, PROGRAM)).status).toBe(201)
  const files = await send(server.address, '/console/command-line/files', { headers })
  expect([files.status, JSON.parse(files.text).files]).toEqual([200, []])
  const hash = builtFile(1).sha512
  const found = await send(server.address, `/console/command-line/files/${hash}`, { headers })
  expect(JSON.parse(found.text)).toEqual({ file: null, upload: null })
})

/** Uploads as the page does in a browser: by tus, with the session. */
async function browserUploads(server: TestServer) {
  const { cookie } = await firstAdministrator(server)
  const headers = { ...pageHeaders(server.address, cookie), 'tus-resumable': '1.0.0' }
  return async (content: Buffer, filename: string) => {
    const begun = await fetch(`${server.address}${PAGE}`, {
      method: 'POST',
      headers: {
        ...{ ...headers, 'upload-length': String(content.length) },
        'upload-metadata': metadataOf({ filename }),
      },
    })
    const url = new URL(begun.headers.get('location') ?? '', `${server.address}${PAGE}`)
    const append = { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
    const sent = await fetch(url, {
      ...{ method: 'PATCH', body: new Uint8Array(content), headers: { ...headers, ...append } },
    })
    return JSON.parse(await sent.text()).file
  }
}

/** Uploads as the page does in the desktop app: piece by piece. */
async function desktopUploads(server: TestServer) {
  const { files } = callerOf(server)
  return async (content: Buffer, name: string) => {
    const { id } = await files.begin({ name, size: content.length, sha512: null })
    for (let offset = 0; ; offset += UPLOAD_PIECE) {
      const piece = new Uint8Array(content.subarray(offset, offset + UPLOAD_PIECE))
      const { file } = await files.append({ id, offset, content: piece })
      if (file !== null) return file
    }
  }
}

test.each(Object.entries({ browser: browserUploads, 'desktop app': desktopUploads }))(
  'of a file that the console in the %s has uploaded, updaters download what has changed',
  async (_, uploads) => {
    const old = noise(2 * MIB, 'old')
    const next = changed(old, MIB)
    const console = { pageFolder: temporaryFolder() }
    const versions = { '1.0.0': old, '1.1.0': next }
    const hosts = { uploads, config: { console } }
    const { server, update, files } = await startWithVersions('mac', versions, hosts)
    const { content, bytes } = await update(old)
    expect(content.equals(next)).toBe(true)
    expect(bytes).toBeLessThan(MOST)
    // Patches are made from what devices were offered.
    await serve(server, '1.1.0', { status: 'paused' })
    await check(server, '0.0.1')
    await serve(server, '1.1.0', { status: 'published' })
    const [, file] = files
    if (file === undefined) throw new Error('the second version was not uploaded')
    await patchBetween(server, file, old)
  },
)
