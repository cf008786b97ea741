import fc from 'fast-check'
import { expect, test } from 'vitest'
import { connectTo, countRows } from '../../../support/servers/database.ts'
import { checkAs } from '../../../support/servers/fleet-calls.ts'
import { startWithApp } from '../../../support/servers/server.ts'

const ADDRESSES = ['192.0.2.1', '192.0.2.2', '2001:db8::1']
const BUDGETS = { newDevices: 4, labelBytes: 256, combinations: 10 }

const version = fc.tuple(fc.nat(30), fc.nat(30)).map(([major, minor]) => `${major}.${minor}.0`)
const label = fc.tuple(
  fc.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,20}$/),
  fc.string({ unit: 'binary', maxLength: 200 }),
)
const request = fc.record({
  device: fc.option(fc.stringMatching(/^[!-~]{1,12}$/), { freq: 10 }),
  known: fc.boolean(),
  version,
  platform: fc.constantFrom('linux', 'darwin', 'x', 'y', 'z'),
  labels: fc.array(label, { maxLength: 8 }),
  address: fc.constantFrom(...ADDRESSES),
})

test('callers without a key cannot exceed the budgets of rows', async () => {
  const server = await startWithApp({ budgets: BUDGETS, trustProxy: ['loopback'] })
  let sent = 0
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 10, maxLength: 60 }), async (requests) => {
      await Promise.all(
        requests.map(({ device, known, address, labels, ...path }) => {
          sent++
          const pairs = labels.map(([key, value]) => `l.${key}=${encodeURIComponent(value)}`)
          return checkAs(server, path.version, {
            device: known ? 'always-the-same' : device,
            platform: path.platform,
            query: `?${pairs.join('&')}`,
            headers: { 'x-forwarded-for': address },
          })
        }),
      )
    }),
    { numRuns: 12 },
  )
  await server.fleet.settled()
  const database = connectTo(server)
  expect(countRows(database, 'devices')).toBe(BUDGETS.newDevices * ADDRESSES.length)
  // The combinations, and the channel's other.
  expect(countRows(database, 'profiles')).toBeLessThanOrEqual(BUDGETS.combinations + 1)
  expect(countRows(database, 'check_ins')).toBeLessThanOrEqual(sent)
  const most = (sql: string) => Number(database.prepare(sql).pluck().get())
  expect(
    most('SELECT max(c) FROM (SELECT count(*) AS c FROM profile_changes GROUP BY device)'),
  ).toBeLessThanOrEqual(125)
  const stored = database.prepare('SELECT labels FROM devices').pluck().all()
  for (const text of stored) {
    const entries = Object.entries<string>(JSON.parse(String(text)))
    expect(entries.length).toBeLessThanOrEqual(64)
    expect(Buffer.byteLength(entries.flat().join(''))).toBeLessThanOrEqual(BUDGETS.labelBytes)
  }
  for (const table of ['adoption', 'hourly_adoption', 'presence']) {
    expect(most(`SELECT count(*) FROM ${table} WHERE devices = 0`)).toBe(0)
    expect(countRows(database, table)).toBeLessThanOrEqual(2 * (BUDGETS.combinations + 1))
  }
  const { body } = await server.call('GET', '/healthz', { key: null })
  const used = body.budgets.map(({ name }: { name: string }) => name)
  expect(used).toEqual(['combinations', 'new_devices', 'labels'])
})
