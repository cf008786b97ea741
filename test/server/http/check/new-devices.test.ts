import { pino } from 'pino'
import { expect, test } from 'vitest'
import { SERVER_NUMBERS } from '../../../../src/shared/operation/server-numbers.ts'
import { item } from '../../../support/builders/devices.ts'
import { profileOf } from '../../../support/fleet/profile-of.ts'
import { publish } from '../../../support/servers/calls.ts'
import { callerOf } from '../../../support/servers/console.ts'
import { checkAs, offeredTo, report } from '../../../support/servers/fleet-calls.ts'
import { type Answer, startWithApp, type TestServer } from '../../../support/servers/server.ts'
import { countStored, storedColumn, storedRows } from '../../../support/servers/stored.ts'

const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

async function start(newDevices: number): Promise<TestServer> {
  const budgets = { newDevices }
  return await startWithApp({ budgets, trustProxy: ['loopback'] })
}

async function names(server: TestServer): Promise<unknown[]> {
  await server.fleet.settled()
  return await storedColumn(server, 'SELECT device_id FROM devices ORDER BY id')
}

test('an address adds so many devices; others are answered, counted and not stored', async () => {
  const server = await start(3)
  await publish(server, '2.0.0')
  for (const device of ['a', 'b', 'c', 'd', 'e']) {
    const query = '?l.ring=beta'
    expect(await offeredTo(server, '1.0.0', { device, query, ...from('192.0.2.1') })).toBe('2.0.0')
  }
  expect(await names(server)).toEqual(['a', 'b', 'c'])
  // Another address has its own budget, and so has each /64, but not each address in it.
  await checkAs(server, '1.0.0', { device: 'f', ...from('192.0.2.2') })
  for (const [index, device] of ['g', 'h', 'i', 'j'].entries()) {
    await checkAs(server, '1.0.0', { device, ...from(`2001:db8:0:1::${index + 1}`) })
  }
  await checkAs(server, '1.0.0', { device: 'k', ...from('2001:db8:0:2::1') })
  expect(await names(server)).toEqual(['a', 'b', 'c', 'f', 'g', 'h', 'i', 'k'])
  // Calls with a key are under no budget.
  await report(
    server,
    ['l', 'm', 'n', 'o'].map((device) => item(device)),
  )
  expect(await names(server)).toHaveLength(12)

  const { body } = await server.call('GET', '/healthz', { key: null })
  expect(body.budgets).toMatchObject([{ name: 'new_devices', count: 3 }])
  expect(await countStored(server, 'check_ins')).toEqual([15])
  const traffic = 'SELECT sum(check_ins), sum(anonymous), sum(offers) FROM traffic'
  expect(await storedRows(server, traffic)).toEqual([[15, 3, 11]])
})

test('a device that exists is never under the budget, and one that found no room may come later', async () => {
  const server = await start(1)
  await report(server, [item('known')])
  await checkAs(server, '1.0.0', { device: 'a', ...from('192.0.2.1') })
  await checkAs(server, '1.0.0', { device: 'b', ...from('192.0.2.1') })
  for (const device of ['known', 'a']) {
    await checkAs(server, '1.1.0', { device, query: '?l.ring=beta', ...from('192.0.2.1') })
  }
  const app = server.catalog.snapshot.appByName.get('editor')?.record.key ?? 0
  for (const device of ['known', 'a']) {
    expect((await profileOf(server.fleet, app, device))?.version).toBe('1.1.0')
    expect(await server.fleet.labelsOf(app, [device])).toEqual([{ ring: 'beta' }])
  }
  expect(await names(server)).toEqual(['known', 'a'])
  await checkAs(server, '1.0.0', { device: 'b', ...from('192.0.2.9') })
  expect(await names(server)).toEqual(['known', 'a', 'b'])
})

test('of 2,000 devices behind one address, those beyond the limit learn when to return, and people which setting it is', async () => {
  const lines: { msg: string }[] = []
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
  const limits = { device: SERVER_NUMBERS.limits.device.default }
  const server = await startWithApp({ limits, trustProxy: ['loopback'] }, log)
  await publish(server, '2.0.0')
  const path = '/u/editor/stable/darwin/aarch64/1.0.0'
  const ask = (device: number) => {
    const headers = { 'x-service-device': `device-${device}`, ...from('192.0.2.1').headers }
    return server.call('GET', path, { key: null, headers })
  }
  const answers: Answer[] = []
  // As many at once as one address may have connections, and fewer.
  while (answers.length < 2_000) {
    answers.push(
      ...(await Promise.all(Array.from({ length: 200 }, (_, at) => ask(answers.length + at)))),
    )
  }
  const refused = answers.filter(({ status }) => status === 429)
  const answered = answers.filter(({ status }) => status === 200)
  // 600 at once, and more while they ask: 10 in a second.
  expect(refused).toHaveLength(2_000 - answered.length)
  expect(answered.length).toBeGreaterThanOrEqual(600)
  for (const { headers } of refused) {
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(headers.get('ratelimit-policy')).toBe('"minute";q=600;w=60')
  }
  expect(await offeredTo(server, '1.0.0', { device: 'other', ...from('192.0.2.2') })).toBe('2.0.0')

  const used = { name: 'requests', count: refused.length }
  const { body } = await server.call('GET', '/healthz', { key: null })
  expect(body.budgets).toMatchObject([used])
  expect((await callerOf(server).overview.get()).budgets).toMatchObject([used])
  expect(lines.filter(({ msg }) => msg === 'limit reached')).toMatchObject([
    { setting: 'deviceLimit', budget: { name: 'requests', count: 1 } },
  ])
})
