import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CheckError, createUpdateClient, type UpdateClientOptions } from '../../src/client/index.ts'
import { UpdateManifest } from '../../src/shared/releases/manifest.ts'
import { deviceWithin } from '../support/builders/devices.ts'
import { temporaryFolder } from '../support/builders/folders.ts'
import { artifact } from '../support/builders/releases.ts'
import { publish, setPolicy } from '../support/servers/calls.ts'
import { listenLocally } from '../support/servers/listen.ts'
import { startWithApp, type TestServer } from '../support/servers/server.ts'

const LATER = 'http://localhost'
const DEVICE = { app: 'editor', version: '1.0.0', platform: 'darwin', arch: 'arm64' } as const

function clientOf(server: string, options: Partial<UpdateClientOptions> = {}) {
  return createUpdateClient({ server, ...DEVICE, deviceId: 'one', ...options })
}

/** A client that keeps the ID of its device itself. */
function keeping(folder: string, server = LATER) {
  return createUpdateClient({ server, ...DEVICE, folder })
}

async function problemOf(check: Promise<unknown>): Promise<Partial<CheckError>> {
  const error = await check.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(CheckError)
  if (!(error instanceof CheckError)) throw error
  const { problem, status, retryAfter, message } = error
  return { problem, message, ...(status && { status }), ...(retryAfter && { retryAfter }) }
}

test('a check finds the update, and the server knows the device from then on', async () => {
  const server = await startWithApp()
  await publish(server, '1.1.0+7', { notes: 'Faster.' })
  const client = keeping(temporaryFolder(), server.address)
  const update = await client.check()
  // As the compiler sees it, too: the client has the type of the server's answer.
  const manifest: UpdateManifest | undefined = update
  expect(UpdateManifest.parse(manifest)).toMatchObject({ version: '1.1.0+7', notes: 'Faster.' })
  expect(await knows(server, await client.deviceId())).toBe(true)
  expect(await clientOf(server.address, { version: '1.1.0+7' }).check()).toBeUndefined()
})

test('labels are sent with each check, whatever their characters', async () => {
  const server = await startWithApp()
  const site = 'Zürich & 1+1?'
  await publish(server, '1.1.0', { targets: { matchLabels: { 'site/main': site } } })
  expect(await clientOf(server.address).check()).toBeUndefined()
  const labelled = clientOf(server.address, { deviceId: 'two', labels: { 'site/main': site } })
  expect(await labelled.check()).toMatchObject({ version: '1.1.0' })
  expect(await clientOf(server.address, { deviceId: 'two' }).check()).toBeDefined()
})

test('a release that needs a newer operating system is passed over', async () => {
  const server = await startWithApp()
  await publish(server, '1.1.0')
  await publish(server, '1.2.0', { artifacts: [artifact({ minimumSystemVersion: '23.4.0' })] })
  const on = (os: string) => clientOf(server.address, { deviceId: 'one', os }).check()
  expect(await on('22.6.0')).toMatchObject({ version: '1.1.0' })
  expect(await on('24.0.0')).toMatchObject({ version: '1.2.0' })
  expect(await on('macOS 14.3')).toMatchObject({ version: '1.1.0' })
})

test('a manual check is one, and the next is not', async () => {
  const server = await startWithApp()
  const { id } = await publish(server, '1.1.0', { rolloutPct: 1 })
  await setPolicy(server, { manualChecks: true })
  const deviceId = deviceWithin(id, 0.5, 1)
  const client = clientOf(server.address, { deviceId, labels: { ring: 'beta' } })
  expect(await client.check()).toBeUndefined()
  expect(await client.check({ manual: true })).toMatchObject({ version: '1.1.0' })
  expect(await client.check()).toBeUndefined()
})

test('an outcome is reported for the update that the device was offered', async () => {
  const server = await startWithApp()
  await publish(server, '1.1.0')
  const [one, two] = ['one', 'two'].map((deviceId) => clientOf(server.address, { deviceId }))
  await one?.check()
  await two?.check()
  const detail = `Cannot install:\n\t${'x'.repeat(600)}`
  await one?.reportOutcome({ version: '1.1.0', outcome: 'failed', detail })
  await two?.reportOutcome({ version: '1.1.0', outcome: 'ok' })
  await server.fleet.settled()
  const path = '/api/v1/releases/editor/stable/1.1.0/health'
  expect((await server.call('GET', path)).body.health).toMatchObject({
    health: { offered: 2, adopted: 1, reported: 1 },
  })
  const id = server.catalog.snapshot.appByName.get('editor')?.channels.get('stable')?.compiled
    .releases[0]?.facts.id
  const [said] = await server.fleet.outcomeDetails(id ?? '', 1)
  expect(said?.detail).toBe(`Cannot install: ${'x'.repeat(484)}`)
})

test('a report that the server refuses is rejected as a check is', async () => {
  const server = await startWithApp()
  const report = { version: '1.1.0', outcome: 'ok' } as const
  const client = clientOf(server.address, { app: 'nothing' })
  expect(await problemOf(client.reportOutcome(report))).toMatchObject({
    ...{ problem: 'rejected', status: 404 },
  })
  const address = await answer((_request, response) => response.end('Welcome'))
  expect(await problemOf(clientOf(address).reportOutcome(report))).toMatchObject({
    problem: 'invalid',
  })
})

test('a server below a path is asked below it', async () => {
  const paths: (string | undefined)[] = []
  const address = await answer((request, response) => {
    paths.push(request.url)
    response.writeHead(204).end()
  })
  for (const server of [`${address}/tidegate`, `${address}/tidegate/`]) {
    await clientOf(server, { version: '1.0.0+a', bundle: 'msi' }).check()
  }
  const path = '/tidegate/u/editor/stable/darwin/arm64/1.0.0%2Ba?bundle=msi'
  expect(paths).toEqual([path, path])
})

test('a check that fails says why', async () => {
  const server = await startWithApp({ limits: { device: 1 } })
  const unknown = await problemOf(clientOf(server.address, { app: 'other' }).check())
  expect(unknown).toMatchObject({ problem: 'rejected', status: 404 })
  expect(unknown.message).toContain('other')
  const limited = await problemOf(clientOf(server.address).check())
  expect(limited).toMatchObject({ problem: 'limited', status: 429 })
  expect(limited.retryAfter).toBeGreaterThan(0)
  await server.stop()
  expect(await problemOf(clientOf(server.address).check())).toMatchObject({
    problem: 'unreachable',
  })
})

test.each([
  ['a login page', 200, '<html>Welcome to our hotel</html>'],
  ['JSON of something else', 200, '{"version":"1.1.0"}'],
  ['an error of a proxy', 502, 'Bad Gateway'],
])('%s is no update', async (_, status, body) => {
  const address = await answer((_request, response) => response.writeHead(status).end(body))
  expect(await problemOf(clientOf(address).check())).toMatchObject({ problem: 'invalid', status })
})

test('a server that never completes its answer is given up', async () => {
  const address = await answer((_request, response) => response.writeHead(200).write('{'))
  expect(await problemOf(clientOf(address, { timeout: 50 }).check())).toMatchObject({
    problem: 'timeout',
  })
})

test('a check can be cancelled', async () => {
  const cancel = new AbortController()
  const address = await answer(() => cancel.abort(new Error('quitting')))
  await expect(clientOf(address).check({ signal: cancel.signal })).rejects.toThrow('quitting')
})

test('processes that start at the same time agree on the ID, and leave nothing beside it', async () => {
  const folder = join(temporaryFolder(), 'new')
  const clients = Array.from({ length: 20 }, () => keeping(folder))
  const ids = new Set(await Promise.all(clients.map((client) => client.deviceId())))
  expect(ids.size).toBe(1)
  expect(readdirSync(folder)).toEqual(['update-device'])
  expect(readFileSync(join(folder, 'update-device'), 'utf8')).toBe([...ids][0])
})

test.each(['', '\0\0\0\0', 'two words'])('a damaged file %j gets a new ID once', async (damage) => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'update-device'), damage)
  const first = await keeping(folder).deviceId()
  const second = await keeping(folder).deviceId()
  expect(first).toMatch(/^[0-9a-f-]{36}$/)
  expect(second).toBe(first)
})

test('a folder that could not be written is tried again', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'update-device'))
  const client = keeping(folder)
  await expect(client.deviceId()).rejects.toThrow('EISDIR')
  expect(readdirSync(folder)).toEqual(['update-device'])
})

test.each([
  [{ server: 'updates.example.com' }, 'server: must be an http or https address'],
  [{ server: 'file:///etc/passwd' }, 'server: must be an http or https address'],
  [{ deviceId: 'two words' }, 'deviceId: must be 1 to 128 printable ASCII characters'],
])('options %j are refused', (options, message) => {
  expect(() => clientOf(LATER, options)).toThrow(new RegExp(`^${message}`))
})

test('a device needs an ID', () => {
  expect(() => createUpdateClient({ server: LATER, ...DEVICE })).toThrow(/^folder: is required/)
})

async function knows(server: TestServer, device: string): Promise<boolean> {
  const app = server.catalog.snapshot.appByName.get('editor')?.record.key ?? 0
  return (await server.fleet.device(app, device)) !== undefined
}

/** A server of its own that answers as it is told. */
async function answer(listener: RequestListener): Promise<string> {
  return `http://${await listenLocally(createServer(listener))}`
}
