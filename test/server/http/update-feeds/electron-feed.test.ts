import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { deviceWithin } from '../../../support/builders/devices.ts'
import { artifact, SHA512_BASE64 } from '../../../support/builders/releases.ts'
import { profileOf } from '../../../support/fleet/profile-of.ts'
import { expectError, publish, serve, setPolicy, shown } from '../../../support/servers/calls.ts'
import { request, startWithApp, type TestServer } from '../../../support/servers/server.ts'

const file = (platform: string, arch: string, name: string, members = {}) =>
  artifact({ platform, arch, url: `https://downloads.example/${name}`, ...members })
const EXE = file('windows', 'x64', 'Editor-x64.exe')

/** A request for a feed of `editor/stable`; by default that of Windows, without an ID. */
function feed(
  server: TestServer,
  { name = 'latest.yml', query = '', headers = {}, method = 'GET', channel = 'stable' } = {},
) {
  const path = `/electron/editor/${channel}/${name}${query}`
  return server.call(method, path, { key: null, headers })
}

/** The version in a feed, or null for a 404. */
async function listed(server: TestServer, options: Parameters<typeof feed>[1] = {}) {
  const { status, text } = await feed(server, options)
  if (status === 404) return null
  expect(status, text).toBe(200)
  return parse(text).version
}

const appKey = (server: TestServer) =>
  server.catalog.snapshot.appByName.get('editor')?.record.key ?? 0

describe('the feed for electron-updater', () => {
  test('lists each platform with its files, checksums in base64 and every text quoted', async () => {
    const server = await startWithApp()
    const artifacts = [
      file('win32', 'arm64', 'Editor-arm64.exe', { sha512: SHA512_BASE64, size: 3 }),
      EXE,
      file('mac', 'universal', 'Editor-universal.zip'),
      file('linux', 'x64', 'Editor.AppImage'),
      file('linux', 'arm64', 'editor_arm64.deb'),
      file('linux', 'armhf', 'editor_armv7l.rpm'),
    ]
    const { createdAt } = await publish(server, '1.10.0', { artifacts, notes: 'Fixes.' })
    const windows = await feed(server)
    expect(windows.status).toBe(200)
    expect(windows.headers.get('content-type')).toBe('application/yaml; charset=utf-8')
    expect(windows.headers.get('cache-control')).toBe('no-store')
    const url = 'https://downloads.example/Editor-x64.exe'
    expect(parse(windows.text)).toEqual({
      version: '1.10.0',
      files: [
        { url, sha512: SHA512_BASE64 },
        { url: 'https://downloads.example/Editor-arm64.exe', sha512: SHA512_BASE64, size: 3 },
      ],
      path: url,
      sha512: SHA512_BASE64,
      releaseNotes: 'Fixes.',
      releaseDate: createdAt,
    })
    expect(windows.text).toContain('version: "1.10.0"\n')
    const names = {
      'latest-mac.yml': 'Editor-universal.zip',
      'latest-linux.yml': 'Editor.AppImage',
      'latest-linux-arm64.yml': 'editor_arm64.deb',
      'latest-linux-arm.yml': 'editor_armv7l.rpm',
      'stable-mac.yml': 'Editor-universal.zip',
      'stable.yml': 'Editor-x64.exe',
    }
    for (const [name, first] of Object.entries(names)) {
      const { text } = await feed(server, { name })
      expect(parse(text).path, name).toBe(`https://downloads.example/${first}`)
    }
    expect(await listed(server, { name: 'latest-linux-ia32.yml' })).toBeNull()
  })

  test('skips releases whose files electron-updater cannot install', async () => {
    const server = await startWithApp()
    await publish(server, '1.0.0', { artifacts: [EXE, file('darwin', 'any', 'Editor.zip')] })
    const others = [file('windows', 'x64', 'Editor.msi'), file('darwin', 'any', 'Editor.dmg')]
    await publish(server, '1.1.0', { artifacts: others })
    expect(await listed(server)).toBe('1.0.0')
    expect(await listed(server, { name: 'latest-mac.yml' })).toBe('1.0.0')
    expect(await listed(server, { name: 'latest-linux.yml' })).toBeNull()
  })

  test('lists only files for the arch that is named, and for any', async () => {
    const server = await startWithApp()
    const artifacts = [EXE, file('windows', 'any', 'Editor.exe')]
    await publish(server, '1.0.0', { artifacts })
    await publish(server, '1.1.0', { artifacts: [EXE] })
    expect(await listed(server)).toBe('1.1.0')
    expect(await listed(server, { query: '?arch=x64' })).toBe('1.1.0')
    expect(await listed(server, { query: '?arch=arm64' })).toBe('1.0.0')
    const { text } = await feed(server, { query: '?arch=arm64' })
    expect(parse(text).files.length).toBe(1)
  })

  test('lists the kinds of bundle that electron-updater installs, and no others', async () => {
    const server = await startWithApp()
    const kinds = (platform: string, ...names: string[]) =>
      names.map((name) => file(platform, 'x64', name, { kind: name.split('.').at(-1) }))
    const artifacts = [
      ...kinds('windows', 'Editor.msi', 'Editor.nsis', 'Editor.portable'),
      file('windows', 'x64', 'Portable.exe', { kind: 'exe-portable' }),
      file('windows', 'x64', 'download/42', { kind: 'nsis' }),
      file('windows', 'x64', 'Editor-portable.exe'),
      file('windows', 'arm64', 'Editor-arm64.exe'),
      ...kinds('darwin', 'Editor.dmg', 'Editor.zip', 'Editor.pkg'),
      ...kinds('linux', 'Editor.rpm', 'Editor.deb', 'Editor.appimage', 'Editor.snap'),
    ].filter(({ url }) => !url.endsWith('.nsis'))
    await publish(server, '1.0.0', { artifacts })
    const namesIn = async (name: string) => {
      const { files } = parse((await feed(server, { name })).text)
      return files.map(({ url }: { url: string }) => url.replace(/^.*example.|#.*$/g, ''))
    }
    expect(await namesIn('latest.yml')).toEqual(['download/42', 'Editor-arm64.exe'])
    expect(await namesIn('latest-mac.yml')).toEqual(['Editor.zip', 'Editor.dmg'])
    const linux = ['Editor.appimage', 'Editor.deb', 'Editor.rpm']
    expect(await namesIn('latest-linux.yml')).toEqual(linux)
  })

  test('lists on Linux only files of the kind that is named, of the newest release that has one', async () => {
    const server = await startWithApp()
    const on = (name: string, members = {}) => file('linux', 'x64', name, members)
    const artifacts = [
      on('Editor.AppImage'),
      on('editor.deb', { kind: 'deb' }),
      on('editor.rpm', { kind: 'rpm' }),
    ]
    await publish(server, '1.0.0', { artifacts })
    await publish(server, '2.0.0', { artifacts: [on('Editor.AppImage'), EXE] })
    const filesOf = async (bundle: string, name = 'latest-linux.yml') => {
      const { status, text } = await feed(server, { name, query: `?bundle=${bundle}` })
      if (status === 404) return null
      return parse(text).files.map(({ url }: { url: string }) => url.split('/').at(-1))
    }
    expect(await filesOf('deb')).toEqual(['editor.deb'])
    expect(await filesOf('RPM')).toEqual(['editor.rpm'])
    expect(await filesOf('pacman')).toBeNull()
    for (const bundle of ['appimage', '', 'unknown', 'nsis', 'constructor']) {
      expect.soft(await filesOf(bundle), bundle).toEqual(['Editor.AppImage'])
    }
    expect(await filesOf('deb', 'latest.yml')).toEqual(['Editor-x64.exe'])
  })

  test('says which name is wrong', async () => {
    const server = await startWithApp()
    await publish(server, '1.0.0', { artifacts: [EXE] })
    const message = expectError(await feed(server, { name: 'beta.yml' }), 404)
    expect(message).toContain('unknown feed "beta.yml": use latest.yml')
    expectError(await feed(server, { name: 'latest.yaml' }), 404)
    expectError(await feed(server, { name: 'latest.yml/more' }), 404)
    expectError(await feed(server, { name: 'latest-linux-%20.yml' }), 400)
    expect(expectError(await feed(server, { channel: 'beta' }), 404)).toContain('unknown channel')
  })

  test('refuses an invalid version, arch, label and ID, with the name of each', async () => {
    const server = await startWithApp()
    await publish(server, '1.0.0', { artifacts: [EXE] })
    const refusal = async (query: string, headers = {}) =>
      expectError(await feed(server, { query, headers }), 400).split(':')[0]
    expect(await refusal('?version=one')).toBe('version')
    expect(await refusal('?arch=%20')).toBe('arch')
    expect(await refusal('?l.-=x')).toBe('l.-')
    expect(await refusal('', { 'x-user-staging-id': 'not one' })).toBe('x-user-staging-id')
  })

  test('refuses a query where a file address has one, except that against caches', async () => {
    const server = await startWithApp()
    const url = 'https://downloads.example/Editor.exe?token=abc'
    await publish(server, '1.0.0', { artifacts: [{ ...EXE, url }] })
    expect(await listed(server, { query: '?noCache=1j2k' })).toBe('1.0.0')
    const refused = await feed(server, { query: '?version=0.9.0' })
    expect(expectError(refused, 400)).toContain('files of 1.0.0 have one')
  })
})

describe('a device that reads the feed', () => {
  test('is in a rollout by either ID, of which the own header counts first', async () => {
    const server = await startWithApp()
    await publish(server, '1.0.0', { artifacts: [EXE] })
    const { id } = await publish(server, '1.1.0', { artifacts: [EXE], rolloutPct: 50 })
    const [inside, outside] = [deviceWithin(id, 0, 0.5), deviceWithin(id, 0.5, 1)]
    const as = (staging: string, own?: string) =>
      listed(server, {
        headers: { 'x-user-staging-id': staging, ...(own && { 'x-service-device': own }) },
      })
    expect(await as(inside)).toBe('1.1.0')
    expect(await as(outside)).toBe('1.0.0')
    expect(await as(outside, inside)).toBe('1.1.0')
    expect(await as(inside, outside)).toBe('1.0.0')
    expect(await listed(server)).toBe('1.0.0')
  })

  test('is recorded, with its version if it names it', async () => {
    const server = await startWithApp()
    await publish(server, '1.0.0', { artifacts: [EXE] })
    await feed(server, { headers: { 'x-user-staging-id': 'one' } })
    await feed(server, {
      headers: { 'x-user-staging-id': 'two' },
      query: '?version=1.0.0&arch=x64',
    })
    const name = 'latest-linux-arm64.yml'
    await feed(server, { name, headers: { 'x-user-staging-id': 'three' } })
    const running = (device: string) => profileOf(server.fleet, appKey(server), device)
    expect(await running('one')).toMatchObject({ version: '*', platform: 'windows', arch: '' })
    expect(await running('two')).toMatchObject({
      version: '1.0.0',
      platform: 'windows',
      arch: 'x64',
    })
    expect(await running('three')).toMatchObject({ version: '*', platform: 'linux', arch: 'arm64' })
  })

  test('of an architecture that nobody knows is within the budget of combinations', async () => {
    const server = await startWithApp({ budgets: { combinations: 2 } })
    await publish(server, '1.0.0', { artifacts: [file('linux', 'any', 'Editor.AppImage')] })
    const counted = []
    for (let number = 0; number < 5; number++) {
      const device = `device-${number}`
      const headers = { 'x-user-staging-id': device }
      expect(await listed(server, { name: `latest-linux-x${number}.yml`, headers })).toBe('1.0.0')
      counted.push((await profileOf(server.fleet, appKey(server), device))?.arch)
    }
    expect(counted).toEqual(['x0', 'x1', '*', '*', '*'])
  })

  test('has labels that are used and kept', async () => {
    const server = await startWithApp()
    await publish(server, '1.0.0', { artifacts: [EXE] })
    const targets = { matchLabels: { ring: 'beta' } }
    await publish(server, '1.1.0', { artifacts: [EXE], targets })
    const headers = { 'x-user-staging-id': 'one' }
    expect(await listed(server, { headers })).toBe('1.0.0')
    expect(await listed(server, { headers, query: '?l.ring=beta' })).toBe('1.1.0')
    await server.fleet.settled()
    expect(await listed(server, { headers })).toBe('1.1.0')
  })

  test('has no version in targets unless it names it', async () => {
    const server = await startWithApp()
    await publish(server, '1.0.0', { artifacts: [EXE] })
    const matchExpressions = [{ key: 'device.version', operator: 'VersionIn', values: ['>=0.9.0'] }]
    await publish(server, '1.1.0', { artifacts: [EXE], targets: { matchExpressions } })
    expect(await listed(server)).toBe('1.0.0')
    expect(await listed(server, { query: '?version=0.9.0' })).toBe('1.1.0')
    expect(await listed(server, { query: '?version=0.8.0' })).toBe('1.0.0')
  })

  test('that is offered nothing gets the release that it runs, else the latest at 100%', async () => {
    const server = await startWithApp()
    await publish(server, '1.0.0', { artifacts: [EXE], rolloutPct: 100 })
    const { id } = await publish(server, '1.1.0', { artifacts: [EXE], rolloutPct: 10 })
    await publish(server, '1.2.0', { artifacts: [EXE] })
    await serve(server, '1.2.0', { status: 'paused' })
    const headers = { 'x-user-staging-id': deviceWithin(id, 0, 0.1) }
    const running = (version: string) => listed(server, { query: `?version=${version}`, headers })
    expect(await running('1.1.0')).toBe('1.1.0')
    expect(await running('1.2.0')).toBe('1.2.0')
    expect(await running('9.0.0')).toBe('1.0.0')
    await serve(server, '1.0.0', { status: 'paused' })
    expect(await running('9.0.0')).toBeNull()
    expect(await running('1.2.0')).toBe('1.2.0')
  })

  test('is not offered the latest at 100% if the targets do not match it', async () => {
    const server = await startWithApp()
    const targets = { matchExpressions: [{ key: 'ring', operator: 'NotIn', values: ['beta'] }] }
    await publish(server, '1.0.0', { artifacts: [EXE], targets })
    expect(await listed(server, { query: '?version=9.0.0' })).toBe('1.0.0')
    expect(await listed(server, { query: '?version=9.0.0&l.ring=beta' })).toBeNull()
  })

  test('leaves a rolled-back version by the policy of the channel', async () => {
    const server = await startWithApp()
    for (const version of ['1.0.0', '2.0.0', '3.0.0']) {
      await publish(server, version, { artifacts: [EXE] })
    }
    await serve(server, '2.0.0', { status: 'rolled_back' })
    const query = '?version=2.0.0'
    expect(await listed(server, { query })).toBe('1.0.0')
    await setPolicy(server, { rollback: 'roll-forward' })
    expect(await listed(server, { query })).toBe('3.0.0')
  })

  test('makes an offer durable first, also of what is listed in place of one', async () => {
    const server = await startWithApp()
    await publish(server, '1.0.0', { artifacts: [EXE] })
    expect((await feed(server, { method: 'HEAD' })).status).toBe(200)
    expect((await shown(server, '1.0.0')).offered).toBe(false)
    expect(await listed(server, { query: '?version=9.0.0' })).toBe('1.0.0')
    expect((await shown(server, '1.0.0')).offered).toBe(true)
  })
})

test('the way through Express answers every feed as the way ahead of it does', async () => {
  const log = pino({ level: 'silent' }, { write: () => {} })
  const server = await startWithApp({}, log)
  await publish(server, '1.0.0', { artifacts: [EXE], notes: 'Grüße ✨ '.repeat(3_000) })
  const paths = ['latest.yml', 'latest.yml/', 'latest.yml?version=1.0.0', 'latest-mac.yml', 'a', '']
  const answers = async () => {
    const found = []
    for (const name of paths) {
      const { status, headers, text } = await feed(server, { name })
      const { date: _date, ...rest } = Object.fromEntries(headers)
      found.push({ name, status, headers: rest, text })
    }
    return found
  }
  await answers()
  const ahead = await answers()
  log.level = 'debug'
  expect(await answers()).toEqual(ahead)
  expect(ahead.map(({ status }) => status)).toEqual([200, 200, 200, 404, 404, 404])
})

test('feeds are counted, limited and logged as update checks are', async () => {
  const metrics = { host: '127.0.0.1', port: 0 }
  const lines: string[] = []
  const accessLog = pino({}, { write: (line) => lines.push(line) })
  const options = { metrics, limits: { device: 3 } }
  const server = await startWithApp(options, undefined, { accessLog })
  await publish(server, '1.0.0', { artifacts: [EXE] })
  await feed(server, { query: '?version=0.9.0&l.owner=kim' })
  await feed(server, { query: '?version=1.0.0' })
  await feed(server, { name: 'latest-mac.yml' })
  const { status, headers } = await feed(server)
  expect([status, headers.get('retry-after')]).toEqual([429, expect.any(String)])
  const { text } = await request(server.metricsAddress ?? '', 'GET')
  const count = (outcome: string, app = 'editor') =>
    text.match(`tidegate_update_checks_total{app="${app}",outcome="${outcome}"} (\\d+)`)?.[1]
  expect(count('update')).toBe('1')
  expect(count('no_update')).toBe('1')
  expect(count('not_found')).toBe('1')
  expect(count('rate_limited', '')).toBe('1')
  const logged = lines.map((line) => JSON.parse(line)).filter(({ path }) => /^.electron/.test(path))
  expect(logged.map(({ status: each }) => each)).toEqual([200, 200, 404, 429])
  expect(JSON.stringify(logged)).not.toContain('kim')
})
