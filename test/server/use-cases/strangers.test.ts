// @module-tag long

import { expect, test } from 'vitest'
import { rolloutPlan } from '../../support/builders/plans.ts'
import { DAY } from '../../support/builders/time.ts'
import { auditOf, publish, setPolicy, shown } from '../../support/servers/calls.ts'
import { passTime, START } from '../../support/servers/planned.ts'
import { request, startWithApp } from '../../support/servers/server.ts'

const REAL = 200
/** One address of a stranger, and one in the same /24. */
const STRANGER = ['198.51.100.7', '198.51.100.8'] as const
const PLAN = rolloutPlan([[100, 6]])

interface Sender {
  readonly device: string
  readonly address: string
}

const realDevices = Array.from({ length: REAL }, (_, index) => ({
  device: `real-${index}`,
  address: `203.${index}.1.2`,
}))
const invented = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    device: `invented-${index}`,
    address: STRANGER[index % 2] ?? STRANGER[0],
  }))

/** A server behind a proxy on its computer, which says who calls it. */
async function start() {
  const time = { now: START }
  const config = { plans: { lookEvery: 2 ** 31 - 1 }, trustProxy: ['loopback'] }
  const server = await startWithApp(config, undefined, { clock: () => time.now })
  const headersOf = ({ device, address }: Sender) => {
    return { 'x-service-device': device, 'x-forwarded-for': address }
  }
  const each = async (senders: readonly Sender[], send: (sender: Sender) => Promise<unknown>) => {
    for (let first = 0; first < senders.length; first += 20) {
      await Promise.all(senders.slice(first, first + 20).map(send))
    }
    await server.fleet.settled()
  }
  const check = (senders: readonly Sender[], version: string) =>
    each(senders, (sender) => {
      const path = `/u/editor/stable/darwin/aarch64/${version}`
      return request(server.address + path, 'GET', { key: null, headers: headersOf(sender) })
    })
  const fail = (senders: readonly Sender[], version: string) =>
    each(senders, (sender) =>
      request(`${server.address}/u/editor/stable/outcome`, 'POST', {
        ...{ key: null, headers: headersOf(sender) },
        body: { version, outcome: 'failed' },
      }),
    )
  return { server, time, check, fail }
}

/** A server whose real devices were seen `days` before 2.0.0 is offered to all, and are offered it. */
async function startRollout(known: readonly Sender[], onFailure: 'pause' | 'rollback', days = 1) {
  const started = await start()
  const { server, time, check } = started
  await publish(server, '1.0.0')
  await check([...realDevices, ...known], '1.0.0')
  time.now += days * DAY
  await publish(server, '2.0.0', { plan: { ...PLAN, onFailure } })
  await check([...realDevices, ...known], '1.0.0')
  return started
}

test('thirty invented devices that report a failure stop nothing', async () => {
  const world = await startRollout([], 'rollback')
  const { server, check, fail } = world
  await check(realDevices, '2.0.0')
  await check(invented(30), '1.0.0')
  await fail(invented(30), '2.0.0')
  expect(await passTime(world.server, world.time)).toBe('finished')
  expect(await shown(server, '2.0.0')).toMatchObject({ status: 'published', rolloutPct: 100 })
  const { body } = await server.call('GET', '/api/v1/releases/editor/stable/2.0.0/health')
  expect(body.health).toMatchObject({
    health: { offered: REAL + 30, adopted: REAL, reported: 30 },
    counted: { offered: REAL, adopted: REAL, reported: 0 },
    newDevices: { offered: 30, adopted: 0, reported: 30 },
    networks: { failed: 0 },
  })
})

test('invented devices that adopt a release hide none of its failures', async () => {
  const world = await startRollout([], 'pause')
  const { server, check, fail } = world
  await check(realDevices.slice(30), '2.0.0')
  await fail(realDevices.slice(0, 30), '2.0.0')
  await check(invented(900), '1.0.0')
  await check(invented(900), '2.0.0')
  expect(await passTime(world.server, world.time)).toBe('stopped')
  expect(await shown(server, '2.0.0')).toMatchObject({ status: 'paused' })
  const [stopped] = await auditOf(server, 'release.plan_stopped')
  expect(stopped).toMatchObject({
    after: { reasons: [{ failed: 30, judged: REAL }], health: { offered: REAL, reported: 30 } },
  })
})

test('nor do devices that one network has had for days, in either direction', async () => {
  const patient = invented(300)
  const failing = await startRollout(patient, 'rollback', 8)
  await failing.check(realDevices, '2.0.0')
  await failing.fail(patient, '2.0.0')
  expect(await passTime(failing.server, failing.time)).toBe('finished')

  const hiding = await startRollout(patient, 'pause', 8)
  await hiding.check([...realDevices.slice(30), ...patient], '2.0.0')
  await hiding.fail(realDevices.slice(0, 30), '2.0.0')
  expect(await passTime(hiding.server, hiding.time)).toBe('stopped')
})

test('nor do they by being the first that are offered a release', async () => {
  const patient = invented(300)
  const world = await start()
  const { server, time, check, fail } = world
  await publish(server, '1.0.0')
  await check([...realDevices, ...patient], '1.0.0')
  time.now += 8 * DAY
  await publish(server, '2.0.0', { plan: PLAN })
  await check(patient, '1.0.0')
  await fail(patient, '2.0.0')
  expect(await passTime(world.server, world.time)).toBe('finished')
})

test.each([
  ['known for a day are paused', 1, 'paused', 'pause'],
  ['known for a week, in many networks, are rolled back', 8, 'rolled_back', 'rollback'],
] as const)('failures on devices %s', async (_, days, status, action) => {
  const world = await startRollout([], 'rollback', days)
  const { server, check, fail } = world
  await check(realDevices.slice(80), '2.0.0')
  await fail(realDevices.slice(0, 80), '2.0.0')
  expect(await passTime(world.server, world.time)).toBe('stopped')
  expect(await shown(server, '2.0.0')).toMatchObject({ status })
  const [stopped] = await auditOf(server, 'release.plan_stopped')
  expect(stopped).toMatchObject({ after: { action, reasons: [{ failed: 80, judged: REAL }] } })
})

test('new devices count where the policy of the channel says so, and roll nothing back', async () => {
  const { server, check, fail, ...world } = await start()
  await setPolicy(server, { countNewDevices: true })
  await publish(server, '1.0.0')
  await publish(server, '2.0.0', { plan: { ...PLAN, onFailure: 'rollback' } })
  await check(realDevices, '1.0.0')
  await fail(realDevices.slice(0, 80), '2.0.0')
  await check(realDevices.slice(80), '2.0.0')
  expect(await passTime(server, world.time)).toBe('stopped')
  expect(await shown(server, '2.0.0')).toMatchObject({ status: 'paused' })
})

test.each([
  ['with the key', 'rolled_back'],
  ['without it', 'paused'],
])('failures of devices that a key vouches for, reported %s', async (how, status) => {
  const { server, fail, ...world } = await start()
  await publish(server, '2.0.0', { plan: { ...PLAN, onFailure: 'rollback' } })
  const running = { version: '1.0.0', platform: 'darwin', arch: 'aarch64' }
  const devices = realDevices.map(({ device: deviceId }) => ({ deviceId, ...running }))
  const body = { app: 'editor', devices }
  expect((await server.call('POST', '/api/v1/fleet/decisions', { body })).status).toBe(200)
  if (how === 'without it') await fail(realDevices, '2.0.0')
  else {
    const outcome = { version: '2.0.0', outcome: 'failed' }
    const failed = devices.map((device) => ({ ...device, outcome }))
    const report = { body: { app: 'editor', devices: failed } }
    expect((await server.call('POST', '/api/v1/fleet/report', report)).status).toBe(200)
  }
  expect(await passTime(server, world.time)).toBe('stopped')
  expect(await shown(server, '2.0.0')).toMatchObject({ status })
})
