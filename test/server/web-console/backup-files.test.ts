import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createListener } from '../../../src/server/http/listener/listener.ts'
import { createDeviceChecks } from '../../../src/server/http/update-feeds/device-checks.ts'
import { offerConsole } from '../../../src/server/web-console/offer-console.ts'
import { temporaryFolder } from '../../support/builders/folders.ts'
import { eventually } from '../../support/eventually.ts'
import { apiContextOf } from '../../support/servers/api-context.ts'
import { send } from '../../support/servers/browser.ts'
import {
  MODIFIED,
  type RestorableConsole,
  startRestorable,
  uploadPath,
} from '../../support/servers/restorable.ts'

const PATH = uploadPath('mine.db')
const uploadedFile = ({ folder }: Pick<RestorableConsole, 'folder'>) =>
  join(folder, 'uploaded-backup.db')

/** Begins an upload of that many bytes and sends one of them. */
async function beginUpload({ address, headers }: RestorableConsole, bytes: number, to = address) {
  const sent = request(`${to}${PATH}`, {
    method: 'PUT',
    headers: { ...headers(), 'content-length': String(bytes) },
  })
  sent.on('error', () => {})
  await new Promise<void>((resolve) => sent.write('x', () => resolve()))
  return sent
}

async function answerTo(sent: ReturnType<typeof request>) {
  const [response] = await once(sent, 'response')
  let body = ''
  for await (const part of response.setEncoding('utf8')) body += part
  return { status: response.statusCode, body: JSON.parse(body) }
}

const received = (console: RestorableConsole) =>
  eventually(() => expect(readFileSync(uploadedFile(console), 'utf8')).toBe('x'))

test('a download equals the backup, once, in time, and in the session that asked for it', async () => {
  let now = Date.now()
  const console = await startRestorable({ clock: () => now })
  const { name, file, bytes } = await console.ask('backups.now')
  const get = async (ticket: string) =>
    await fetch(`${console.address}/console/downloads/${ticket}`, { headers: console.headers() })
  const issue = async () => (await console.ask('backups.createDownload', { name })).ticket

  const ticket = await issue()
  const response = await get(ticket)
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-length': String(bytes),
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  expect(Buffer.from(await response.arrayBuffer()).equals(readFileSync(file))).toBe(true)
  expect((await get(ticket)).status).toBe(404)
  const { entries } = await console.ask('audit.list', {})
  const downloads = entries.filter(({ action }: { action: string }) =>
    action.startsWith('database'),
  )
  expect(downloads).toMatchObject([
    {
      action: 'database.backup_downloaded',
      actor: { kind: 'person', name: 'Ada', address: '127.0.0.1' },
      after: { name, bytes },
    },
  ])

  const late = await issue()
  now += 30_000
  expect((await get(late)).status).toBe(404)

  const foreign = await issue()
  const stranger = await send(console.address, `/console/downloads/${foreign}`)
  expect(stranger.status).toBe(401)
  await console.signIn()
  expect((await get(foreign)).status).toBe(404)
  await expect(console.ask('backups.createDownload', { name: '../x' })).rejects.toMatchObject({
    code: 'unknown',
  })
})

test('an upload comes from the page of a person who is signed in', async () => {
  const console = await startRestorable()
  const own = console.headers()
  const { 'tidegate-console': _, ...noHeader } = own
  const put = async (headers: Record<string, string>, path = PATH) =>
    (await send(console.address, path, { method: 'PUT', headers, body: 'x' })).status
  expect(await put(noHeader)).toBe(403)
  expect(await put({ ...own, origin: 'https://evil.example' })).toBe(403)
  expect(await put({ ...own, cookie: 'tidegate-session=guess' })).toBe(401)
  expect(await put(own, '/console/uploads/backup')).toBe(400)
  expect(existsSync(uploadedFile(console))).toBe(false)
  expect(await put(own)).toBe(200)
  expect(await put(own, `/console/uploads/backup?name=x&modified=${MODIFIED}`)).toBe(200)
})

test('an upload that ends midway leaves nothing, and the next one is accepted', async () => {
  const console = await startRestorable()
  const sent = await beginUpload(console, 100_000)
  await received(console)
  sent.destroy()
  await eventually(() => expect(existsSync(uploadedFile(console))).toBe(false))
  const content = randomBytes(300_000)
  expect(await console.upload(content)).toMatchObject({ status: 200, body: { bytes: 300_000 } })
  expect(readFileSync(uploadedFile(console)).equals(content)).toBe(true)
})

test('one backup is uploaded at a time, and replaces the one before', async () => {
  const console = await startRestorable()
  const first = await console.upload(Buffer.from('first'))
  const sent = await beginUpload(console, 2)
  await received(console)
  const busy = { code: 'invariant', refusal: { code: 'restore_busy' } }
  expect(await console.upload(Buffer.from('other'))).toEqual({
    status: 422,
    body: { callError: busy },
  })
  await expect(console.ask('backups.checkUpload', { bytes: 1 })).rejects.toEqual(busy)
  sent.end('y')
  const { status, body } = await answerTo(sent)
  expect(status).toBe(200)
  expect(readFileSync(uploadedFile(console), 'utf8')).toBe('xy')
  const gone = console.ask('backups.inspect', { kind: 'uploaded', id: first.body.id })
  await expect(gone).rejects.toMatchObject({ refusal: { code: 'unknown_upload' } })
  await console.ask('backups.discardUpload', { id: body.id })
  expect(existsSync(uploadedFile(console))).toBe(false)
})

test('an upload takes no more than what is free', async () => {
  let freeBytes = 1_000
  const console = await startRestorable({ disk: { freeBytes: async () => freeBytes } })
  const full = {
    code: 'backup_failed',
    problem: { code: 'full', circumstance: { neededBytes: 2_000, freeBytes: 1_000 } },
  }
  await expect(console.ask('backups.checkUpload', { bytes: 2_000 })).rejects.toMatchObject({
    refusal: full,
  })
  expect(await console.upload(Buffer.alloc(2_000))).toMatchObject({
    status: 422,
    body: { callError: { refusal: full } },
  })
  freeBytes = 1e9
  await console.ask('backups.checkUpload', { bytes: 2_000 })
  // What is announced was free, and is not any more.
  const sent = await beginUpload(console, 64 * 1_024 * 1_024)
  await received(console)
  freeBytes = -1
  sent.end(Buffer.alloc(64 * 1_024 * 1_024 - 1))
  expect(await answerTo(sent)).toMatchObject({ status: 422 })
  expect(existsSync(uploadedFile(console))).toBe(false)
})

test('what a killed server left is deleted at the start', async () => {
  const folder = temporaryFolder()
  for (const name of ['uploaded-backup.db', 'tidegate.db.staged']) {
    writeFileSync(join(folder, name), 'left')
  }
  await startRestorable({}, folder)
  expect(existsSync(join(folder, 'uploaded-backup.db'))).toBe(false)
  expect(existsSync(join(folder, 'tidegate.db.staged'))).toBe(false)
})

test('an upload may take longer than other requests', async () => {
  const console = await startRestorable()
  const server = console.server()
  const api = apiContextOf(server)
  const webConsole = offerConsole({
    config: { mode: 'loopback', plainHttp: false, names: [], pageFolder: console.folder },
    api,
    people: server.people,
    notifications: server.notifications,
  })
  webConsole.begin(server.consoleContext)
  const context = { ...api, webConsole }
  const times = { headTime: 500, requestTime: 1_000 }
  const options = { tls: undefined, maxConnections: 100, ...times }
  const { server: listener } = createListener(context, createDeviceChecks(context), options)
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    webConsole.stop()
    listener.closeAllConnections()
    listener.close()
  })
  const impatient = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  const headers = () => ({ ...console.headers(), origin: impatient })
  const sent = await beginUpload({ ...console, headers }, 2, impatient)
  await received(console)
  // A request that began after it runs out of time before it.
  const other = request(`${impatient}/console/api/apps.create`, {
    method: 'POST',
    headers: { ...headers(), 'content-length': '2' },
  })
  other.write('{')
  expect(await answerTo(other)).toMatchObject({ status: 408 })
  sent.end('y')
  expect(await answerTo(sent)).toMatchObject({ status: 200, body: { bytes: 2 } })
})
