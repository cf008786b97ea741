import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { codePoint } from '../../../support/builders/code-point.ts'
import { isOnPostgres } from '../../../support/servers/engine.ts'
import { checkAs } from '../../../support/servers/fleet-calls.ts'
import { startWithApp } from '../../../support/servers/server.ts'
import {
  countStored,
  storedColumn,
  storedLabels,
  storedRows,
} from '../../../support/servers/stored.ts'

const ADDRESSES = ['192.0.2.1', '192.0.2.2', '2001:db8::1']
const COUNTERS = [
  ['adoption', 'day'],
  ['hourly_adoption', 'hour'],
  ['presence', 'day'],
] as const
/** PostgreSQL removes counters that have become 0 when their day is over. */
const LEAST_COUNT = isOnPostgres ? 0 : 1
const Labels = z.record(z.string(), z.string())
const BUDGETS = { newDevices: 4, labelBytes: 256, combinations: 10 }

const version = fc.tuple(fc.nat(30), fc.nat(30)).map(([major, minor]) => `${major}.${minor}.0`)
const label = fc.tuple(
  fc.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9._-]{0,20}$/),
  fc.string({ unit: codePoint, maxLength: 200 }),
)
const request = fc.record({
  device: fc.option(fc.stringMatching(/^[!-~]{1,12}$/), { freq: 10 }),
  known: fc.boolean(),
  version,
  platform: fc.constantFrom('linux', 'darwin', 'x', 'y', 'z'),
  labels: fc.array(label, { maxLength: 8 }),
  address: fc.constantFrom(...ADDRESSES),
})

/** Labels that PostgreSQL stores in more bytes than they have. */
const NULS = {
  ...{
    device: null,
    known: true,
    version: '1.0.0',
    platform: 'linux' as const,
    address: '192.0.2.1',
  },
  labels: [['nuls', '\0'.repeat(200)] as [string, string]],
}

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
    { numRuns: 12, examples: [[[NULS]]] },
  )
  await server.fleet.settled()
  const count = async (table: string) => (await countStored(server, table))[0]
  expect(await count('devices')).toBe(BUDGETS.newDevices * ADDRESSES.length)
  // The combinations, and the channel's other.
  expect(await count('profiles')).toBeLessThanOrEqual(BUDGETS.combinations + 1)
  expect(await count('check_ins')).toBeLessThanOrEqual(sent)
  const [most] = await storedColumn(
    server,
    'SELECT max(c) FROM (SELECT count(*) AS c FROM profile_changes GROUP BY device) AS counts',
  )
  expect(most).toBeLessThanOrEqual(125)
  const stored = await storedLabels(server)
  expect(stored).not.toEqual([])
  for (const labels of stored) {
    const entries = Object.entries<string>(Labels.parse(labels))
    expect(entries.length).toBeLessThanOrEqual(64)
    expect(Buffer.byteLength(entries.flat().join(''))).toBeLessThanOrEqual(BUDGETS.labelBytes)
  }
  for (const [table, step] of COUNTERS) {
    const empty = `SELECT profile FROM ${table} GROUP BY profile, ${step}
      HAVING sum(devices) < ${LEAST_COUNT}`
    expect(await storedRows(server, empty)).toEqual([])
    expect(await count(table)).toBeLessThanOrEqual(2 * (BUDGETS.combinations + 1))
  }
  const { body } = await server.call('GET', '/healthz', { key: null })
  const used = body.budgets.map(({ name }: { name: string }) => name)
  expect(used).toEqual(['combinations', 'new_devices', 'labels'])
})
