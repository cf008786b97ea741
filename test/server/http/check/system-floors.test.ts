import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { item } from '../../../support/builders/devices.ts'
import { artifact } from '../../../support/builders/releases.ts'
import { publish } from '../../../support/servers/calls.ts'
import { offeredTo, reasons, report } from '../../../support/servers/fleet-calls.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'

const mac = (minimumSystemVersion?: string) =>
  artifact({ platform: 'darwin', arch: 'universal', minimumSystemVersion })
const exe = (minimumSystemVersion?: string) =>
  artifact({
    ...{ platform: 'windows', arch: 'x64', minimumSystemVersion },
    url: 'https://downloads.example/Editor.exe',
  })

/** A server with a release for every system, one for macOS 13 or Windows 10, and one for macOS 14.4 or Windows 11. */
async function startWithFloors(): Promise<TestServer> {
  const server = await startWithApp()
  await publish(server, '1.1.0', { artifacts: [mac(), exe()] })
  await publish(server, '1.2.0', { artifacts: [mac('13.0'), exe('10.0.10240')] })
  await publish(server, '1.3.0', { artifacts: [mac('23.4.0'), exe('10.0.22000')] })
  return server
}

const WINDOWS = { platform: 'windows', arch: 'x64' }

describe('an update check of a device that states its system', () => {
  test('is offered the newest release that runs on it', async () => {
    const server = await startWithFloors()
    for (const [os, version] of [
      ['14.4', '1.3.0'],
      ['23.4.0', '1.3.0'],
      ['macos+15.1', '1.3.0'],
      ['14.3.1', '1.2.0'],
      ['23.3.0', '1.2.0'],
      ['12.7', '1.1.0'],
      ['21.6.0', '1.1.0'],
    ] as const) {
      expect.soft(await offeredTo(server, '1.0.0', { query: `?os=${os}` }), os).toBe(version)
    }
    for (const [os, version] of [
      ['10.0.22631', '1.3.0'],
      ['10.0.19045', '1.2.0'],
      ['6.3.9600', '1.1.0'],
    ] as const) {
      const options = { ...WINDOWS, query: `?l.ring=beta&os=${os}` }
      expect.soft(await offeredTo(server, '1.0.0', options), os).toBe(version)
    }
  })

  test('is offered nothing if it runs the newest of them', async () => {
    const server = await startWithFloors()
    expect(await offeredTo(server, '1.2.0', { query: '?os=13.6' })).toBeNull()
  })

  test('is offered the latest release if it states none, or one that cannot be read', async () => {
    const server = await startWithFloors()
    for (const query of ['', '?os', '?os=', '?os=Sonoma', '?os=%ff', '?OS=12.7', '?oss=12.7']) {
      expect.soft(await offeredTo(server, '1.0.0', { query }), query).toBe('1.3.0')
    }
  })

  test('is offered a release whose floor cannot be read', async () => {
    const server = await startWithApp()
    await publish(server, '1.1.0', { artifacts: [mac('Sonoma')] })
    expect(await offeredTo(server, '1.0.0', { query: '?os=10.9' })).toBe('1.1.0')
  })

  test('states it by the label os as well, now or in an earlier call, and the query counts first', async () => {
    const server = await startWithFloors()
    expect(await offeredTo(server, '1.0.0', { query: '?l.os=13.6' })).toBe('1.2.0')
    await report(server, [item('pc-1', { labels: { os: '21.6.0' } })])
    expect(await offeredTo(server, '1.0.0', { device: 'pc-1' })).toBe('1.1.0')
    expect(await offeredTo(server, '1.0.0', { device: 'pc-1', query: '?os=14.4' })).toBe('1.3.0')
    expect(await offeredTo(server, '1.0.0', { device: 'pc-1' })).toBe('1.1.0')
  })
})

test('a decision about a device has its system as a member or a label, and names it as the reason', async () => {
  const server = await startWithApp()
  await publish(server, '1.1.0', { artifacts: [mac('23.4.0')] })
  const devices = [
    item('old', { os: '13.6' }),
    item('new', { os: '14.4' }),
    item('labelled', { labels: { os: '22.6.0' } }),
    item('silent'),
    item('empty', { os: '' }),
    item('odd', { os: 13 }),
  ]
  const expected = ['system_too_old', 'update', 'system_too_old', 'update', 'update', 'update']
  expect(await reasons(server, devices)).toEqual(expected)
  // Devices without labels are read another way.
  const plain = devices.filter((_, at) => at !== 2)
  expect(await reasons(server, plain)).toEqual(expected.filter((_, at) => at !== 2))
})

describe('the feed of electron-updater', () => {
  const listed = async (server: TestServer, query: string, headers = {}) => {
    const path = `/electron/editor/stable/latest.yml${query}`
    const { status, text } = await server.call('GET', path, { key: null, headers })
    if (status === 404) return null
    expect(status, text).toBe(200)
    const { version, minimumSystemVersion = null } = parse(text)
    return { version, minimumSystemVersion }
  }

  test('has the latest release with its floor, which the client compares', async () => {
    const server = await startWithFloors()
    const latest = { version: '1.3.0', minimumSystemVersion: '10.0.22000' }
    expect(await listed(server, '')).toEqual(latest)
    expect(await listed(server, '?noCache=1j2k')).toEqual(latest)
    expect(await listed(server, '?version=1.0.0&os=unknown')).toEqual(latest)
  })

  test('has the newest release that runs on the system in the query', async () => {
    const server = await startWithFloors()
    const second = { version: '1.2.0', minimumSystemVersion: '10.0.10240' }
    const first = { version: '1.1.0', minimumSystemVersion: null }
    expect(await listed(server, '?os=10.0.19045')).toEqual(second)
    expect(await listed(server, '?version=1.0.0&os=6.3.9600')).toEqual(first)
    // It is the same feed for each, and has nothing remembered of the other.
    expect(await listed(server, '?version=1.0.0&os=10.0.19045')).toEqual(second)
    expect(await listed(server, '?version=1.2.0&os=10.0.19045')).toEqual(second)
  })

  test('has nothing for a system that no release runs on', async () => {
    const server = await startWithApp()
    await publish(server, '1.1.0', { artifacts: [exe('10.0.22000')] })
    expect(await listed(server, '?version=1.0.0&os=10.0.19045')).toBeNull()
  })

  test('counts the highest floor of its files', async () => {
    const server = await startWithApp()
    const other = { arch: 'arm64', url: 'https://downloads.example/Editor-arm64.exe' }
    await publish(server, '1.0.0', { artifacts: [exe()] })
    await publish(server, '1.1.0', { artifacts: [exe(), { ...exe('10.0.22000'), ...other }] })
    expect(await listed(server, '?os=10.0.19045')).toMatchObject({ version: '1.0.0' })
    expect(await listed(server, '?arch=x64&os=10.0.19045')).toMatchObject({ version: '1.1.0' })
  })
})

test('an appcast has the newest release that runs on the system in the query', async () => {
  const server = await startWithApp()
  const dmg = (minimumSystemVersion?: string) =>
    artifact({ url: 'https://downloads.example/Editor.dmg', arch: 'any', minimumSystemVersion })
  await publish(server, '1.1.0', { artifacts: [dmg()] })
  await publish(server, '1.2.0', { artifacts: [dmg('14.0')] })
  const appcast = async (os: string) => {
    const path = `/sparkle/editor/stable/appcast.xml?version=1.0.0&os=${os}`
    const { text } = await server.call('GET', path, { key: null })
    return /<sparkle:version>(.*)<\/sparkle:version>/.exec(text)?.[1]
  }
  expect(await appcast('13.6.1')).toBe('1.1.0')
  expect(await appcast('15.0.0')).toBe('1.2.0')
})
