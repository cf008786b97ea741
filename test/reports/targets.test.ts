import { expect, test } from 'vitest'
import { check, publish, serve, startWith } from '../support/servers/calls.ts'
import { startWithApp, type TestServer } from '../support/servers/server.ts'

// Inputs of reports about other products: see README.md in this folder.

const offered = async (server: TestServer, device: string | null, query = '', version = '1.0.0') =>
  (await check(server, version, { device, query })).body?.version ?? null

const VERSION_IN = (key: string, range: string) => ({
  targets: { matchExpressions: [{ key, operator: 'VersionIn', values: [range] }] },
})

test('a label that has one, two or four numbers is in a range of versions', async () => {
  const server = await startWithApp()
  const cases: [string, string, boolean][] = [
    ['>=13.6', '13.6', true],
    ['>=13.6', '14', true],
    ['>=13.6', '13.5', false],
    ['>=10.0.19041', '10.0.22631.4317', true],
    ['>=10.0.22632', '10.0.22631.4317', false],
    ['>=22.4', '22.04', true],
    ['>=5.7', '5.15.0-101-generic', true],
    ['>=13.6', 'Sonoma', false],
    ['>=13.6', '1.2.3.4.5', false],
  ]
  for (const [index, [range, value, isIn]] of cases.entries()) {
    const version = `2.0.${index}`
    await publish(server, version, VERSION_IN('system', range))
    expect([
      range,
      value,
      (await offered(server, 'one', `?l.system=${value}`)) === version,
    ]).toEqual([range, value, isIn])
    await serve(server, version, { status: 'paused' })
  }
})

test.each([
  ['>= 5.7.0 <= 5.7.4', '5.7.3', true],
  ['>=5.7.0 <=5.7.4', '5.7.4-rc.1', true],
  ['>= 2.0', '2.2.0-302bd8b', true],
  ['1.0 - 1.2', '1.2.5', true],
  ['^1.0.0', '1.1.0', true],
  ['*', '1.0.0-beta.3', true],
  ['^1.0.0', '2.1.0', false],
])('the range %s: %s %s', async (range, version, isIn) => {
  const server = await startWithApp()
  await publish(server, '9.0.0', VERSION_IN('device.version', range))
  expect(await offered(server, 'one', '', version)).toBe(isIn ? '9.0.0' : null)
})

test('a range that is none is refused, and so is a share that is no whole number', async () => {
  const server = await startWith('1.0.0')
  for (const range of ['1.0-1.2', '', 'latest', '5.7.0,5.7.1', '>=1.0 && <2', '==1.2.3']) {
    const { status } = await server.call('POST', '/api/v1/releases', {
      body: {
        app: 'editor',
        channel: 'stable',
        version: '2.0.0',
        ...VERSION_IN('device.version', range),
      },
    })
    expect([range, status]).toEqual([range, 400])
  }
  for (const rolloutPct of [0.1, '10', 1.5, -1, 101, '50%', null]) {
    expect((await serve(server, '1.0.0', { rolloutPct })).status).toBe(400)
  }
})

test('a rollout', async () => {
  const server = await startWith('1.0.0')
  await publish(server, '2.0.0', { rolloutPct: 0 })
  const devices = Array.from({ length: 400 }, (_, index) => `device-${index}`)
  const among = async (version: string) => {
    const found: string[] = []
    for (const device of devices)
      if ((await offered(server, device)) === version) found.push(device)
    return found
  }
  // Nobody at 0%, and about a quarter at 25%: within four standard deviations.
  expect(await among('2.0.0')).toEqual([])
  await serve(server, '2.0.0', { rolloutPct: 25 })
  const first = await among('2.0.0')
  expect(Math.abs(first.length - 100)).toBeLessThan(36)
  // The same devices each time, those and more with a larger share.
  expect(await among('2.0.0')).toEqual(first)
  await serve(server, '2.0.0', { rolloutPct: 60 })
  expect(await among('2.0.0')).toEqual(expect.arrayContaining(first))
  // Others get the release below; devices without an ID wait for 100%.
  const outside = devices.find((device) => !first.includes(device)) ?? ''
  await serve(server, '2.0.0', { rolloutPct: 60 })
  expect(['1.0.0', '2.0.0']).toContain(await offered(server, outside, '', '0.9.0'))
  expect(await offered(server, null, '', '0.9.0')).toBe('1.0.0')
  await serve(server, '2.0.0', { rolloutPct: 100 })
  expect([await offered(server, null), await offered(server, 'new')]).toEqual(['2.0.0', '2.0.0'])
  // Another release at the same share has other devices.
  await publish(server, '3.0.0', { rolloutPct: 25 })
  const second = await among('3.0.0')
  expect(second.filter((device) => first.includes(device)).length).toBeLessThan(second.length)
})

test('a device on the early access list is in a rollout of 1%, beside those that are drawn', async () => {
  const server = await startWith('1.0.0')
  await publish(server, '2.0.0', { rolloutPct: 1 })
  const earlyAccess = { deviceIds: ['user1'], targets: [] }
  await server.call('PATCH', '/api/v1/channels', {
    body: { app: 'editor', channel: 'stable', earlyAccess },
  })
  expect(await offered(server, 'user1')).toBe('2.0.0')
})
