import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { DEVICE, item } from '../../support/builders/devices.ts'
import { ROOT } from '../../support/builders/people.ts'
import { artifact } from '../../support/builders/releases.ts'
import { profileOf } from '../../support/fleet/profile-of.ts'
import { freePort } from '../../support/processes/ports.ts'
import { call, cookieOf, send, signUp, startBrowserConsole } from '../../support/servers/browser.ts'
import { check, expectError, publish, serve } from '../../support/servers/calls.ts'
import { plan } from '../../support/servers/fleet-calls.ts'
import {
  builtFile,
  downloadUrl,
  startHosting,
  tusOf,
  uploadFile,
} from '../../support/servers/hosting.ts'
import { signInAtProvider, startProvider } from '../../support/servers/identity-provider.ts'
import { OtherServers } from '../../support/servers/others.ts'
import { startWithApp } from '../../support/servers/server.ts'
import { browserWith } from '../../support/servers/signed-in.ts'

const MESSAGE = 'this server has lost contact with its database; try again in a few seconds'

async function start() {
  const others = new OtherServers()
  const server = await startWithApp(
    { metrics: { host: '127.0.0.1', port: 0 } },
    undefined,
    others.parts,
  )
  return { others, server }
}

test('a server out of contact answers update checks without an update, and records none', async () => {
  const { others, server } = await start()
  await publish(server, '1.1.0')
  others.lose()
  const answer = await check(server, '1.0.0')
  expect([answer.status, answer.text]).toEqual([204, ''])
  const unknown = await server.call('GET', '/u/other/stable/darwin/aarch64/1.0.0', { key: null })
  expect([unknown.status, unknown.text]).toEqual([204, ''])
  const malformed = await server.call('GET', '/u/editor/stable/darwin/aarch64/x', { key: null })
  expect(malformed.status).toBe(400)
  others.regain()
  await server.telemetry.settled()
  const appKey = server.catalog.snapshot.appByName.get('editor')?.record.key ?? 0
  expect(await profileOf(server.fleet, appKey, DEVICE)).toBeUndefined()
  expect((await check(server, '1.0.0')).body.version).toBe('1.1.0')
})

test.each([
  ['a first offer', false],
  ['a later offer', true],
])('%s is not sent if the contact is lost after it was decided', async (_, offered) => {
  const { others, server } = await start()
  await publish(server, '1.1.0')
  if (offered) expect((await check(server, '1.0.0')).status).toBe(200)
  others.loseAfter(1)
  expect((await check(server, '1.0.0')).status).toBe(204)
})

test('a server out of contact answers feeds as their clients understand it', async () => {
  const { others, server } = await start()
  const file = (name: string, platform = 'windows', arch = 'x64', signature = '') =>
    artifact({ platform, arch, url: `https://a.example/${name}`, signature })
  const sha1 = 'a'.repeat(40)
  const artifactsOf = (version: string) => [
    file('Editor.exe'),
    file('Editor.zip', 'darwin', 'universal'),
    file(`E-${version}-full.nupkg`, 'windows', 'aarch64', `${sha1} E-${version}-full.nupkg 42`),
  ]
  await publish(server, '1.0.0', { artifacts: artifactsOf('1.0.0') })
  await publish(server, '1.1.0', { artifacts: artifactsOf('1.1.0') })
  const ask = (path: string) => server.call('GET', path, { key: null })
  others.lose()
  const sparkle = await ask('/sparkle/editor/stable/appcast.xml?version=1.0.0')
  expect([sparkle.status, sparkle.text.includes('<item>')]).toEqual([200, false])
  const velopack = '/velopack/editor/stable/windows/aarch64'
  const assets = await ask(`${velopack}/releases.stable.json?localVersion=1.0.0`)
  expect(assets.body).toEqual({ Assets: [] })
  expectError(await ask(`${velopack}/E-1.1.0-full.nupkg`), 503)
  expect((await ask('/squirrel/editor/stable/darwin/arm64/1.0.0')).status).toBe(204)
  const squirrel = await ask('/squirrel/editor/stable/win32/arm64/1.0.0/RELEASES')
  expect(squirrel.text).toContain('E-1.0.0-full.nupkg')
  const electron = await ask('/electron/editor/stable/latest.yml?version=1.0.0')
  expect(parse(electron.text).version).toBe('1.0.0')
  expect(expectError(await ask('/electron/editor/stable/latest.yml'), 503)).toBe(MESSAGE)
  expect(expectError(await ask('/electron/other/stable/latest.yml'), 503)).toBe(MESSAGE)
})

test('a server out of contact refuses the API and the release feed, and says that it is not ready', async () => {
  const { others, server } = await start()
  await publish(server, '1.1.0')
  others.lose()
  const refused = [
    await server.call('GET', '/api/v1/releases'),
    await server.call('GET', '/api/v1/releases', { key: null }),
    await serve(server, '1.1.0', { status: 'paused' }),
    await plan(server, [item('a')]),
    await server.call('GET', '/feed/editor/stable', { key: null }),
    await server.call('POST', '/u/editor/stable/outcome', {
      ...{ key: null, headers: { 'X-Service-Device': DEVICE } },
      body: { version: '1.1.0', outcome: 'ok' },
    }),
  ]
  for (const answer of refused) {
    expect(expectError(answer, 503)).toBe(MESSAGE)
    expect(answer.headers.get('retry-after')).toBe('5')
  }
  const health = await server.call('GET', '/healthz', { key: null })
  expect([health.status, health.body.database]).toEqual([
    503,
    { state: 'out_of_contact', revision: null, file: 'ok' },
  ])
  const ready = await server.call('GET', '/healthz/ready', { key: null })
  expect([ready.status, ready.body.database.state]).toEqual([503, 'out_of_contact'])
  const metrics = await (await fetch(server.metricsAddress ?? '')).text()
  expect(metrics).toContain('\ntidegate_ready 0\n')
  others.regain()
  expect((await server.call('GET', '/healthz', { key: null })).status).toBe(200)
  expect((await server.call('GET', '/api/v1/releases')).body.releases[0].status).toBe('published')
})

test('a wave is not answered if the contact is lost while it is decided', async () => {
  const { others, server } = await start()
  await publish(server, '1.1.0')
  others.loseAfter(1)
  expect(expectError(await plan(server, [item('a')], { dryRun: false }), 503)).toBe(MESSAGE)
})

test('who comes back from the identity provider to a server out of contact can try again', async () => {
  const others = new OtherServers()
  const port = await freePort()
  const page = `http://127.0.0.1:${port}/console/`
  const provider = await startProvider(`${page}sign-on`)
  const server = await startBrowserConsole({ port, provider }, others.parts)
  await signUp(server)
  const access = { server: 'viewer', apps: new Map() } as const
  const { token } = await server.people.invite(ROOT, { name: 'Noah', access })
  const begun = await call(server.address, 'account/signOn', { page, link: token })
  const query = await signInAtProvider(JSON.parse(begun.text).result.data.url, 'n-1')
  const back = () =>
    send(server.address, `/console/sign-on?${query}`, { headers: { cookie: cookieOf(begun) } })
  others.lose()
  const answer = await back()
  expect([answer.status, answer.headers['content-type'], answer.headers['retry-after']]).toEqual([
    ...[503, 'text/html; charset=utf-8', '5'],
  ])
  expect(answer.text).toContain('You are not signed in')
  // The page leads to itself, and what the sign-in needs is still there.
  expect(answer.text).toContain('<a href="">Try again</a>')
  expect(answer.headers['set-cookie']).toBeUndefined()
  others.regain()
  const again = await back()
  expect([again.status, again.headers.location]).toEqual([303, './'])
  const [, session = ''] = again.headers['set-cookie'] ?? []
  const noah = browserWith(server, session.split(';')[0] ?? '')
  expect((await noah.call('account/state')).data).toMatchObject({ signedInAs: 'Noah' })
})

test('a server out of contact sends stored files, also of a release that was rolled back, and takes none', async () => {
  const others = new OtherServers()
  const server = await startHosting({}, { parts: others.parts })
  const { content } = builtFile(2_000)
  const file = await uploadFile(server, content, 'Editor.dmg')
  await publish(server, '1.1.0', { artifacts: [artifact({ url: file.url, sha512: file.sha512 })] })
  await serve(server, '1.1.0', { status: 'rolled_back' })
  others.lose()
  expect((await check(server, '1.0.0')).status).toBe(204)
  const download = await fetch(downloadUrl(server, file))
  expect(download.status).toBe(200)
  expect(Buffer.from(await download.arrayBuffer())).toEqual(content)
  const tus = tusOf(server)
  expect((await tus.begin({ size: 10 })).status).toBe(503)
  others.regain()
  expect((await tus.begin({ size: 10 })).status).toBe(201)
})
