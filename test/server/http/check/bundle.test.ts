import { expect, test } from 'vitest'
import { outcomeSentence } from '../../../../src/shared/wording/explanation.ts'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import { item } from '../../../support/builders/devices.ts'
import { artifact } from '../../../support/builders/releases.ts'
import { expectError, publish, RELEASES } from '../../../support/servers/calls.ts'
import { checkAs, MANIFEST_MEMBERS, plan } from '../../../support/servers/fleet-calls.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'

const url = (kind: string) => `https://downloads.example/editor.${kind}`
const linux = (kind: string) => artifact({ platform: 'linux', arch: 'x64', kind, url: url(kind) })

/** A server with a release for Linux as AppImage, deb and rpm, and for macOS without a kind. */
async function startWithBundles(): Promise<TestServer> {
  const server = await startWithApp()
  const artifacts = [linux('deb'), linux('RPM'), linux('appimage'), artifact()]
  await publish(server, '1.1.0', { artifacts })
  return server
}

/** What a Linux device is offered; null for no update. */
async function offered(server: TestServer, query: string): Promise<string | null> {
  const options = { platform: 'linux', arch: 'amd64', query }
  const { status, body } = await checkAs(server, '1.0.0', options)
  if (status === 204) return null
  expect(status).toBe(200)
  expect(Object.keys(body).sort()).toEqual([...MANIFEST_MEMBERS].sort())
  return body.url
}

test('the query bundle of a check chooses the artifact of that kind', async () => {
  const server = await startWithBundles()
  for (const [query, kind] of [
    ['?bundle=deb', 'deb'],
    ['?bundle=rpm', 'RPM'],
    ['?bundle=DEB', 'deb'],
    ['?bundle=%64eb', 'deb'],
    ['?l.ring=beta&bundle=deb', 'deb'],
    ['?bundle=rpm&bundle=deb', 'deb'],
    ['?bundle=appimage', 'appimage'],
  ] as const) {
    expect.soft(await offered(server, query), query).toBe(url(kind))
  }
})

test('a check that names no bundle gets the usual one of the platform', async () => {
  const server = await startWithBundles()
  for (const query of [
    ...['', '?bundle=', '?bundle', '?bundle=unknown', '?bundle=%ff', '?Bundle=deb', '?bundled=deb'],
    ...['?bundle={{bundle_type}}', '?bundle=%7B%7Bbundle_type%7D%7D'],
    `?bundle=${'a'.repeat(65)}`,
  ]) {
    expect.soft(await offered(server, query), query).toBe(url('appimage'))
  }
})

test('a bundle that the release does not have is no error', async () => {
  const server = await startWithBundles()
  expect(await offered(server, '?bundle=snap')).toBeNull()
  const mac = await checkAs(server, '1.0.0', { query: '?bundle=snap' })
  expect(mac.body.url).toBe('https://downloads.example/editor.tar.gz')
})

test('a device is offered no file of another kind, even if there is no other, but an older one of its own', async () => {
  const server = await startWithApp()
  await publish(server, '2.0.0', { artifacts: [linux('appimage')] })
  expect(await offered(server, '')).toBe(url('appimage'))
  for (const kind of ['deb', 'rpm', 'pacman']) {
    expect.soft(await offered(server, `?bundle=${kind}`), kind).toBeNull()
  }
  const device = { version: '1.0.0', platform: 'linux', arch: 'x64', bundle: 'deb' }
  const explain = async () => {
    const query = { app: 'editor', channel: 'stable', deviceId: 'one', assumed: device }
    const result = await server.updates.explainDevice(PRINCIPAL, query)
    if ('lacks' in result) throw new Error(`lacks ${result.lacks}`)
    return result.explained
  }
  expect(outcomeSentence(await explain())).toBe(
    'No update: 2.0.0 has only appimage for linux x64, not deb.',
  )
  await publish(server, '1.5.0', { artifacts: [linux('deb'), linux('appimage')] })
  expect(await offered(server, '?bundle=deb')).toBe(url('deb'))
  expect(await offered(server, '?bundle=rpm')).toBeNull()
  expect((await explain()).candidates).toMatchObject([
    { version: '2.0.0', outcome: 'no_artifact', bundle: 'deb', kinds: ['appimage'] },
    { version: '1.5.0', outcome: 'offered' },
  ])
})

test('a bundle is not stored as a label, and a label named bundle chooses nothing', async () => {
  const server = await startWithBundles()
  const device = 'device-1'
  const query = '?l.bundle=deb&bundle=rpm'
  const { body } = await checkAs(server, '1.0.0', { device, platform: 'linux', arch: 'x64', query })
  expect(body.url).toBe(url('RPM'))
  await server.telemetry.settled()
  const app = server.catalog.snapshot.appByName.get('editor')?.record.key ?? 0
  expect(await server.fleet.labelsOf(app, [device])).toEqual([{ bundle: 'deb' }])
})

test('a decision names the bundle of a device, and a malformed one is refused', async () => {
  const server = await startWithBundles()
  const linuxItem = (deviceId: string, bundle?: unknown) =>
    item(deviceId, {
      platform: 'linux',
      arch: 'x86_64',
      ...(bundle === undefined ? {} : { bundle }),
    })
  const { body } = await plan(server, [
    linuxItem('one', 'deb'),
    linuxItem('two', 'RPM'),
    linuxItem('three'),
    linuxItem('four', 'snap'),
  ])
  const urls = body.decisions.map(({ update }: { update: { url: string } | null }) => update?.url)
  expect(urls).toEqual([url('deb'), url('RPM'), url('appimage'), undefined])
  const refused = await plan(server, [linuxItem('one'), linuxItem('two', 'app image')])
  expect(expectError(refused, 400)).toMatch(/^devices\.1\.bundle: must be 1 to 64 letters/)
})

test('the API shows the kind in lower case, empty if it was not given, and the feed shows none', async () => {
  const server = await startWithBundles()
  const { body } = await server.call('GET', RELEASES)
  const kinds = body.releases[0].artifacts.map(({ kind }: { kind: string }) => kind)
  expect(kinds).toEqual(['deb', 'rpm', 'appimage', ''])
  const feed = await server.call('GET', '/feed/editor/stable', { key: null })
  expect(feed.body.releases[0].artifacts).toHaveLength(4)
  expect(feed.text).not.toContain('kind')
})
