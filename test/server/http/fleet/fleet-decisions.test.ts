import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createChannel } from '../../../../src/server/catalog/apps.ts'
import {
  isPlainDecisionItem,
  isPlainReportItem,
} from '../../../../src/server/http/fleet/fleet-body.ts'
import { DecisionItem, ReportItem } from '../../../../src/shared/fleet.ts'
import { ACTOR } from '../../../support/builders/actor.ts'
import { bucketOf, deviceWithin, item } from '../../../support/builders/devices.ts'
import { artifactFor } from '../../../support/builders/releases.ts'
import { expectError, publish, serve, shown } from '../../../support/servers/calls.ts'
import { connectTo, countRows } from '../../../support/servers/database.ts'
import {
  checkAs,
  DECISIONS,
  MANIFEST_MEMBERS,
  plan,
  report,
} from '../../../support/servers/fleet-calls.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'

interface Decision {
  readonly deviceId: string
  readonly update: Readonly<Record<string, unknown>> | null
  readonly reason: string
}

/** Reasons by device, in the order of the answer. */
async function reasons(server: TestServer, devices: readonly unknown[], dryRun = true) {
  const { status, body } = await plan(server, devices, { dryRun })
  expect(status, body.error).toBe(200)
  return body.decisions.map(({ reason }: Decision) => reason)
}

function rowCounts(server: TestServer) {
  const database = connectTo(server)
  const counts = ['devices', 'check_ins', 'adoption', 'presence', 'traffic', 'profiles'].map(
    (table) => [table, countRows(database, table)],
  )
  database.close()
  return Object.fromEntries(counts)
}

describe('a decision call', () => {
  test('answers a decision per device, in order, with the manifest of a check', async () => {
    const server = await startWithApp()
    await publish(server, '1.1.0', { notes: 'Grüße ✨' })
    const devices = [item('one'), item('two', { version: '1.1.0' }), item('~!"\\one')]
    const { status, body, headers } = await plan(server, devices)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    const update = (await checkAs(server, '1.0.0')).body
    expect(Object.keys(update).sort()).toEqual([...MANIFEST_MEMBERS].sort())
    expect(body).toEqual({
      app: 'editor',
      channel: 'stable',
      decisions: [
        { deviceId: 'one', update, reason: 'update' },
        { deviceId: 'two', update: null, reason: 'up_to_date' },
        { deviceId: '~!"\\one', update, reason: 'update' },
      ],
      updatesOffered: 2,
    })
  })

  test('is of the channel stable where none is named, and takes the id of the app', async () => {
    const server = await startWithApp()
    await createChannel(server.catalog, ACTOR, { app: 'editor', name: 'beta' })
    await publish(server, '1.1.0')
    await publish(server, '2.0.0', { channel: 'beta' })
    const app = server.catalog.snapshot.appByName.get('editor')?.record.id
    const stable = await plan(server, [item('one')], { app })
    expect(stable.body).toMatchObject({ app: 'editor', channel: 'stable' })
    expect(stable.body.decisions[0].update.version).toBe('1.1.0')
    const beta = await plan(server, [item('one')], { channel: 'beta' })
    expect(beta.body).toMatchObject({ app: 'editor', channel: 'beta' })
    expect(beta.body.decisions[0].update.version).toBe('2.0.0')
  })

  test('decides for every device as its own check is decided', async () => {
    const server = await startWithApp()
    await publish(server, '1.1.0', { artifacts: [artifactFor('darwin', 'universal')] })
    await publish(server, '1.2.0', { rolloutPct: 40 })
    await publish(server, '1.3.0', { targets: { matchLabels: { ring: 'beta' } } })
    await publish(server, '2.0.0')
    await serve(server, '2.0.0', { status: 'rolled_back' })
    const devices = Array.from({ length: 60 }, (_, at) =>
      item(`device-${at}`, {
        version: ['1.0.0', '1.1.0', '1.2.0', '2.0.0', '3.0.0'][at % 5],
        arch: at % 7 === 0 ? 'x86_64' : 'aarch64',
        platform: at % 11 === 0 ? 'linux' : 'macos',
        ...(at % 3 === 0 ? { labels: { ring: 'beta' } } : {}),
      }),
    )
    const { body } = await plan(server, devices)
    for (const [at, { deviceId, version, platform, arch }] of devices.entries()) {
      const answer = await checkAs(server, version, { device: deviceId, platform, arch })
      const expected = answer.status === 204 ? null : answer.body
      expect(body.decisions[at]).toMatchObject({ deviceId, update: expected })
    }
    const offered = body.decisions.filter(({ update }: Decision) => update !== null).length
    expect(body.updatesOffered).toBe(offered)
    const versions = body.decisions.map(({ update }: Decision) => update?.version ?? null)
    expect(new Set(versions)).toEqual(new Set(['1.1.0', '1.2.0', '1.3.0', null]))
  })
})

describe('the reason', () => {
  test('is no_release while nothing is published', async () => {
    const server = await startWithApp()
    expect(await reasons(server, [item('one')])).toEqual(['no_release'])
    await publish(server, '1.1.0')
    await serve(server, '1.1.0', { status: 'paused' })
    expect(await reasons(server, [item('one')])).toEqual(['no_release'])
  })

  test('tells apart what keeps the newest release from a device', async () => {
    const server = await startWithApp()
    const targets = { matchLabels: { ring: 'beta' } }
    const { id } = await publish(server, '2.0.0', { rolloutPct: 50, targets })
    const [inside, outside] = [deviceWithin(id, 0, 0.5), deviceWithin(id, 0.5, 1)]
    const labels = { ring: 'beta' }
    const devices = [
      item(inside, { labels }),
      item(outside, { labels }),
      item('no-label'),
      item('elsewhere', { labels, platform: 'linux' }),
      item('newest', { labels, version: '2.0.0' }),
    ]
    expect(await reasons(server, devices)).toEqual([
      'update',
      'outside_cohort',
      'not_targeted',
      'no_artifact',
      'up_to_date',
    ])
  })

  test('is that of the newest release where no release below is offered either', async () => {
    const server = await startWithApp()
    await publish(server, '2.0.0', { rolloutPct: 0 })
    await publish(server, '1.5.0', { artifacts: [] })
    expect(await reasons(server, [item('one')])).toEqual(['outside_cohort'])
  })

  test('is rollback for a device that is taken back, no_release where nothing is below', async () => {
    const server = await startWithApp()
    await publish(server, '1.0.0')
    await publish(server, '2.0.0')
    await serve(server, '2.0.0', { status: 'rolled_back' })
    const { body } = await plan(server, [item('one', { version: '2.0.0' })])
    expect(body.decisions[0]).toMatchObject({
      ...{ deviceId: 'one', reason: 'rollback' },
      update: { version: '1.0.0', allowDowngrade: true },
    })
    await serve(server, '1.0.0', { status: 'rolled_back' })
    expect(await reasons(server, [item('one', { version: '2.0.0' })])).toEqual(['no_release'])
  })
})

describe('a dry run', () => {
  test('writes nothing: no device, no check-in, no label, no offer', async () => {
    const server = await startWithApp()
    await publish(server, '1.1.0')
    await publish(server, '1.2.0', { targets: { matchLabels: { ring: 'beta' } } })
    const before = rowCounts(server)
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
    expect(rowCounts(server)).toEqual(before)
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
  test('is a heartbeat of every device, and committed when it is answered', async () => {
    const server = await startWithApp()
    await publish(server, '1.1.0')
    await plan(server, [
      item('one', { labels: { ring: 'beta' } }),
      item('two', { version: '1.1.0', platform: 'MacOS' }),
    ])
    const database = connectTo(server)
    const stored = database.prepare(
      `SELECT device_id, version, platform, labels, kind FROM check_ins
      JOIN devices ON devices.id = device JOIN profiles ON profiles.id = profile
      ORDER BY check_ins.id`,
    )
    expect(stored.raw().all()).toEqual([
      ['one', '1.0.0', 'darwin', '{"ring":"beta"}', 17],
      ['two', '1.1.0', 'macos', '{}', 19],
    ])
    const offered = database.prepare('SELECT offered FROM releases').pluck().get()
    expect(offered).toBe(1)
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
    expect(server.fleet.profileOf(app, 'one')).toMatchObject({ version: '1.2.0' })
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
    expect(countRows(connectTo(server), 'devices')).toBe(500)
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
    expect(rowCounts(server)).toMatchObject({ devices: 0, check_ins: 0 })
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

test('what passes as plain is what the schema would take as it is', () => {
  const text = fc.constantFrom(
    ...['1.0.0', 'v1.0.0', '1.0', '1.0.0+01', '1.0.0-rc.1+7', 'linux', 'Linux', 'a b', '', '-'],
    ...['x'.repeat(64), 'x'.repeat(65), 'x'.repeat(129), 'é', '\n', 'one\n', 'linux\n', '1.0.0\n'],
  )
  const anything = fc.oneof(text, fc.constantFrom<unknown>(undefined, null, 1, {}, ['x']))
  const items = fc.record(
    { deviceId: anything, version: anything, platform: anything, arch: anything, labels: anything },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(items, (drawn) => {
      for (const [isPlain, schema] of [
        [isPlainDecisionItem, DecisionItem],
        [isPlainReportItem, ReportItem],
      ] as const) {
        if (!isPlain(drawn)) continue
        const { labels: _labels, ...rest } = drawn
        expect(schema.parse(drawn)).toEqual(rest)
      }
    }),
    { numRuns: 3_000 },
  )
})
