import { describe, expect, test } from 'vitest'
import { bucketOf, item } from '../../../support/builders/devices.ts'
import { profileOf } from '../../../support/fleet/profile-of.ts'
import { expectError, publish, shown } from '../../../support/servers/calls.ts'
import {
  checkAs,
  DECISIONS,
  type Decision,
  plan,
  reasons,
  report,
} from '../../../support/servers/fleet-calls.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'
import { countStored, storedColumn, storedRows } from '../../../support/servers/stored.ts'

async function rowCounts(server: TestServer) {
  const tables = ['devices', 'check_ins', 'adoption', 'presence', 'traffic', 'profiles']
  const counts = await countStored(server, ...tables)
  return Object.fromEntries(tables.map((table, at) => [table, counts[at]]))
}

describe('a dry run', () => {
  test('writes nothing: no device, no check-in, no label, no offer', async () => {
    const server = await startWithApp()
    await publish(server, '1.1.0')
    await publish(server, '1.2.0', { targets: { matchLabels: { ring: 'beta' } } })
    const before = await rowCounts(server)
    const devices = [item('one', { labels: { ring: 'beta' } }), item('two')]
    const { body } = await plan(server, devices, { dryRun: true })
    expect(body.decisions.map(({ update }: Decision) => update?.version)).toEqual([
      '1.2.0',
      '1.1.0',
    ])
    expect(body.updatesOffered).toBe(2)
    expect(await reasons(server, [item('one')])).toEqual(['update'])
    const again = await plan(server, [item('one')], { dryRun: true })
    expect(again.body.decisions[0].update.version).toBe('1.1.0')
    expect((await shown(server, '1.2.0')).offered).toBe(false)
    await server.stop()
    expect(await rowCounts(server)).toEqual(before)
  })

  test('sees the labels that are stored, and merges over them', async () => {
    const server = await startWithApp()
    await publish(server, '1.2.0', { targets: { matchLabels: { ring: 'beta', site: 'a' } } })
    await report(server, [item('one', { labels: { ring: 'beta' } })])
    expect(await reasons(server, [item('one')])).toEqual(['not_targeted'])
    expect(await reasons(server, [item('one', { labels: { site: 'a' } })])).toEqual(['update'])
    expect(await reasons(server, [item('one')])).toEqual(['not_targeted'])
  })
})

describe('a call that is no dry run', () => {
  test('is a check-in of every device, and committed when it is answered', async () => {
    const server = await startWithApp()
    await publish(server, '1.1.0')
    await plan(server, [
      item('one', { labels: { ring: 'beta' } }),
      item('two', { version: '1.1.0', platform: 'MacOS' }),
    ])
    const stored = await storedRows(
      server,
      `SELECT device_id, version, platform, kind % 256 FROM check_ins
      JOIN devices ON devices.id = device JOIN profiles ON profiles.id = check_ins.profile
      ORDER BY check_ins.id`,
    )
    expect(stored).toEqual([
      ['one', '1.0.0', 'darwin', 17],
      ['two', '1.1.0', 'macos', 19],
    ])
    expect(await storedColumn(server, 'SELECT offered FROM releases')).toEqual([1])
  })

  test('keeps the labels for later checks, and those of an item for the next of its device', async () => {
    const server = await startWithApp()
    await publish(server, '1.2.0', { targets: { matchLabels: { ring: 'beta' } } })
    const wave = [
      item('one', { labels: { ring: 'beta' } }),
      item('one'),
      item('two'),
      item('one', { labels: { ring: '' } }),
      item('three', { labels: { ring: 'beta' } }),
    ]
    expect(await reasons(server, wave, false)).toEqual([
      'update',
      'update',
      'not_targeted',
      'not_targeted',
      'update',
    ])
    expect((await checkAs(server, '1.0.0', { device: 'three' })).status).toBe(200)
    expect((await checkAs(server, '1.0.0', { device: 'one' })).status).toBe(204)
  })

  test('of two items of one device the last is its state', async () => {
    const server = await startWithApp()
    const twice = [item('one', { version: '1.5.0' }), item('one', { version: '1.2.0' })]
    const { body } = await plan(server, twice)
    expect(body.decisions).toHaveLength(2)
    const app = server.catalog.snapshot.appByName.get('editor')?.record.key ?? 0
    expect(await profileOf(server.fleet, app, 'one')).toMatchObject({ version: '1.2.0' })
  })
})

describe('one call', () => {
  test('takes 1 to 500 devices', async () => {
    const server = await startWithApp()
    const { id } = await publish(server, '1.1.0', { rolloutPct: 30 })
    const devices = Array.from({ length: 500 }, (_, at) => item(`device-${at}`))
    const { body } = await plan(server, devices)
    const expected = devices.map(({ deviceId }) =>
      bucketOf(id, deviceId) < 0.3 ? 'update' : 'outside_cohort',
    )
    expect(body.decisions.map(({ reason }: Decision) => reason)).toEqual(expected)
    expect(body.decisions.map(({ deviceId }: Decision) => deviceId)).toEqual(
      devices.map(({ deviceId }) => deviceId),
    )
    expect(await countStored(server, 'devices')).toEqual([500])
    for (const wrong of [[], [...devices, item('more')]]) {
      const message = expectError(await plan(server, wrong), 400)
      expect(message).toBe('devices: must hold 1 to 500 devices')
    }
    expect((await plan(server, [item('one')])).status).toBe(200)
  })

  test('is one hit of the rate limit, however many devices it names', async () => {
    const server = await startWithApp({ limits: { key: 600 } })
    const remaining = async (count: number) => {
      const devices = Array.from({ length: count }, (_, at) => item(`device-${at}`))
      const { headers } = await plan(server, devices, { dryRun: true })
      return Number(headers.get('ratelimit-remaining'))
    }
    const first = await remaining(1)
    // The bucket refills in between; 500 hits would not have come back.
    expect(await remaining(500)).toBeGreaterThanOrEqual(first - 1)
    expect(await remaining(1)).toBeGreaterThanOrEqual(first - 2)
  })
})

describe('a call that is refused', () => {
  const refusals: Readonly<Record<string, [devices: unknown, message: RegExp | string]>> = {
    'a version that is none': [
      [item('a'), item('b'), item('c'), item('d', { version: '1.2' })],
      /^devices\.3\.version: must be a semantic version/,
    ],
    'no platform': [[{ ...item('a'), platform: undefined }], 'devices.0.platform: is required'],
    'no arch': [[item('a'), { ...item('b'), arch: undefined }], 'devices.1.arch: is required'],
    'no version': [[{ ...item('a'), version: undefined }], 'devices.0.version: is required'],
    'no device id': [[{ ...item('a'), deviceId: undefined }], 'devices.0.deviceId: is required'],
    'an empty device id': [[item('')], /^devices\.0\.deviceId: must be 1 to 128 printable/],
    'a device id with a space': [[item('a b')], /^devices\.0\.deviceId: must be/],
    'a number as version': [[item('a', { version: 1 })], 'devices.0.version: must be a string'],
    'labels that are no object': [
      [item('a', { labels: 'ring' })],
      'devices.0.labels: must be an object',
    ],
    'a label that is no text': [
      [item('a', { labels: { ring: 1 } })],
      'devices.0.labels.ring: must be a string',
    ],
    'a label key that is none': [
      [item('a', { labels: { '-': 'x' } })],
      /^devices\.0\.labels\.-: is not a label key/,
    ],
    'something else than a device': [['a'], 'devices.0: must be an object'],
    'something else than a list': [{ 0: item('a') }, 'devices: must be an array'],
    'no list at all': [undefined, 'devices: is required'],
  }

  test('names the item and the member that is wrong, and writes nothing', async () => {
    const server = await startWithApp()
    await publish(server, '1.1.0')
    for (const [what, [devices, message]] of Object.entries(refusals)) {
      const answer = await server.call('POST', DECISIONS, { body: { app: 'editor', devices } })
      expect(expectError(answer, 400), what).toMatch(message)
    }
    await server.fleet.settled()
    expect(await rowCounts(server)).toMatchObject({ devices: 0, check_ins: 0 })
    expect((await shown(server, '1.1.0')).offered).toBe(false)
  })

  test('names an unknown app, an unknown channel and a wrong dryRun', async () => {
    const server = await startWithApp()
    const refused = async (members: Record<string, unknown>, status: number) =>
      expectError(await plan(server, [item('one')], members), status)
    expect(await refused({ app: 'player' }, 404)).toBe('unknown app "player"')
    expect(await refused({ app: undefined }, 400)).toBe('app: is required')
    expect(await refused({ channel: 'beta' }, 404)).toMatch(/^unknown channel "beta"/)
    expect(await refused({ channel: 'Not One' }, 400)).toMatch(/^channel: /)
    expect(await refused({ dryRun: 'yes' }, 400)).toBe('dryRun: must be true or false')
    expect(await refused({ dryrun: true }, 400)).toBe('dryrun: is not a known member')
  })

  test('needs the scope fleet, and a key that sees the app', async () => {
    const server = await startWithApp()
    const key = await server.mint({ scopes: ['read', 'publish', 'serve'] })
    for (const call of [plan, report]) {
      expectError(await call(server, [item('one')], {}, { key }), 403)
      expectError(await call(server, [item('one')], {}, { key: null }), 401)
    }
  })
})
