import { describe, expect, test } from 'vitest'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import { deviceWithin } from '../../../support/builders/devices.ts'
import { artifact } from '../../../support/builders/releases.ts'
import { check, publish, serve, setPolicy, shown } from '../../../support/servers/calls.ts'
import { checkAs, offeredTo, plan } from '../../../support/servers/fleet-calls.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'

const ON_LINUX = ['deb', 'appimage'].map((kind) =>
  artifact({
    ...{ platform: 'linux', arch: 'x86_64', kind },
    url: `https://downloads.example/Editor.${kind === 'deb' ? 'deb' : 'AppImage'}`,
  }),
)

/** A server with 1.0.0 at 100% and 2.0.0 at 1%, and two devices that are not in that rollout. */
async function startStaged(members: Readonly<Record<string, unknown>> = {}) {
  const server = await startWithApp()
  await publish(server, '1.0.0', members)
  const { id } = await publish(server, '2.0.0', { rolloutPct: 1, ...members })
  return { server, device: deviceWithin(id, 0.5, 1), other: deviceWithin(id, 0.1, 0.5) }
}

const list = (server: TestServer, deviceIds: readonly string[], ring?: string) => {
  const targets = { matchLabels: ring === undefined ? {} : { ring }, matchExpressions: [] }
  const earlyAccess = { deviceIds: [...deviceIds], targets: ring === undefined ? [] : [targets] }
  return setPolicy(server, { earlyAccess })
}

describe('early access', () => {
  test('offers a staged release to a listed device, until it is taken off the list', async () => {
    const { server, device, other } = await startStaged()
    expect(await offeredTo(server, '1.0.0', { device })).toBeNull()
    await list(server, [device])
    expect(await offeredTo(server, '1.0.0', { device })).toBe('2.0.0')
    expect(await offeredTo(server, '1.0.0', { device: other })).toBeNull()
    await list(server, [])
    expect(await offeredTo(server, '1.0.0', { device })).toBeNull()
    // What it has, it keeps.
    expect(await offeredTo(server, '2.0.0', { device })).toBeNull()
  })

  test('matches labels that the device sent earlier, also without sending them again', async () => {
    const { server, device } = await startStaged()
    await list(server, [], 'beta')
    const query = '?l.ring=beta'
    expect(await offeredTo(server, '0.9.0', { device })).toBe('1.0.0')
    expect(await offeredTo(server, '0.9.0', { device, query })).toBe('2.0.0')
    expect(await offeredTo(server, '0.9.0', { device })).toBe('2.0.0')
    const left = '?l.ring=stable'
    expect(await offeredTo(server, '0.9.0', { device, query: left })).toBe('1.0.0')
  })

  test('counts in fleet decisions, with stored labels', async () => {
    const { server, device } = await startStaged()
    await list(server, [], 'beta')
    const item = { deviceId: device, version: '1.0.0', platform: 'darwin', arch: 'aarch64' }
    const labels = { ring: 'beta' }
    const first = await plan(server, [{ ...item, labels }])
    expect(first.body.decisions[0]).toMatchObject({ reason: 'update' })
    const again = await plan(server, [item], { dryRun: true })
    expect(again.body.decisions[0]).toMatchObject({ update: { version: '2.0.0' } })
  })
})

describe('a manual check', () => {
  const query = '?manual=1'

  test('is offered a staged release where the channel allows it, and not otherwise', async () => {
    const { server, device } = await startStaged()
    expect(await offeredTo(server, '1.0.0', { device, query })).toBeNull()
    await setPolicy(server, { manualChecks: true })
    expect(await offeredTo(server, '1.0.0', { device, query })).toBe('2.0.0')
    expect(await offeredTo(server, '1.0.0', { query })).toBe('2.0.0')
    expect(await offeredTo(server, '1.0.0', { device })).toBeNull()
    await serve(server, '2.0.0', { status: 'paused' })
    expect(await offeredTo(server, '1.0.0', { device, query })).toBeNull()
  })

  test.each(['', '0', 'true', '11', '%31%30'])('with manual=%s is a plain one', async (value) => {
    const { server, device } = await startStaged()
    await setPolicy(server, { manualChecks: true })
    const { status } = await checkAs(server, '1.0.0', { device, query: `?manual=${value}` })
    expect(status).toBe(204)
  })

  test('is read beside other parameters, encoded, and from the last of several', async () => {
    const { server, device } = await startStaged()
    await setPolicy(server, { manualChecks: true })
    for (const query of ['?l.ring=a&manual=1', '?manual=0&manual=1', '?%6danual=%31']) {
      expect(await offeredTo(server, '1.0.0', { device, query }), query).toBe('2.0.0')
    }
    const last = '?manual=1&manual=0'
    expect(await offeredTo(server, '1.0.0', { device, query: last })).toBeNull()
  })

  test('is an offer that counts: durable, not cached, and not taken back', async () => {
    const { server, device } = await startStaged()
    await setPolicy(server, { manualChecks: true })
    const asked = await check(server, '1.0.0', { device, query })
    expect(asked.headers.get('cache-control')).toBe('no-store')
    expect(await shown(server, '2.0.0')).toMatchObject({ offered: true })
    // The device runs it now, and its own checks are not manual.
    expect(await offeredTo(server, '2.0.0', { device })).toBeNull()
    await server.telemetry.settled()
    const key = server.catalog.snapshot.appByName.get('editor')?.record.key ?? 0
    const checkIns = await server.fleet.checkIns({ appKey: key, deviceId: device }, undefined, 5)
    expect(checkIns.map(({ reason }) => reason)).toEqual(['up_to_date', 'update'])
  })

  test('is no offer as a HEAD request', async () => {
    const { server } = await startStaged()
    await setPolicy(server, { manualChecks: true })
    const path = `/u/editor/stable/darwin/aarch64/1.0.0${query}`
    expect((await server.call('HEAD', path, { key: null })).status).toBe(200)
    expect(await shown(server, '2.0.0')).toMatchObject({ offered: false })
  })

  test('is one in every feed', async () => {
    const { server } = await startStaged({ artifacts: ON_LINUX })
    await setPolicy(server, { manualChecks: true })
    const feed = (manual: string) =>
      server.call('GET', `/electron/editor/stable/latest-linux.yml?version=1.0.0${manual}`, {
        key: null,
      })
    expect((await feed('')).text).toContain('version: "1.0.0"')
    expect((await feed('&manual=1')).text).toContain('version: "2.0.0"')
    expect((await feed('&manual=2')).text).toContain('version: "1.0.0"')
  })
})

describe('the explanation of a decision', () => {
  const explain = async (server: TestServer, deviceId: string, manual: boolean) => {
    const assumed = { version: '1.0.0', platform: 'darwin', arch: 'aarch64', manual }
    const query = { app: 'editor', channel: 'stable', deviceId, assumed }
    const result = await server.updates.explainDevice(PRINCIPAL, query)
    if ('lacks' in result) throw new Error(`lacks ${result.lacks}`)
    return result.explained
  }

  test('names early access, and a manual check', async () => {
    const { server, device } = await startStaged()
    expect(await explain(server, device, true)).toMatchObject({
      reason: 'outside_cohort',
      candidates: [{ outcome: 'outside_cohort', rollout: { admission: null } }],
      notes: [{ code: 'manual_check', allowed: false }],
    })
    await setPolicy(server, { manualChecks: true })
    expect(await explain(server, device, true)).toMatchObject({
      reason: 'update',
      candidates: [{ outcome: 'offered', rollout: { percent: 1, admission: 'manual_check' } }],
      notes: [{ code: 'manual_check', allowed: true }],
    })
    await list(server, [device])
    expect(await explain(server, device, false)).toMatchObject({
      candidates: [{ outcome: 'offered', rollout: { percent: 1, admission: 'early_access' } }],
      notes: [{ code: 'early_access', by: 'device_id' }],
    })
  })
})
