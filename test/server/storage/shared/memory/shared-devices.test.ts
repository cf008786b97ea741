import { Worker } from 'node:worker_threads'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { countActiveDevices } from '../../../../../src/server/storage/shared/memory/active-devices.ts'
import { DeviceTable } from '../../../../../src/server/storage/shared/memory/device-table.ts'
import { SharedDevices } from '../../../../../src/server/storage/shared/memory/shared-devices.ts'
import { DAY, HOUR } from '../../../../support/builders/time.ts'

const CHUNK = 16_384

const numbers = fc.record({
  device: fc.oneof(
    fc.integer({ min: 1, max: 4 }),
    fc.integer({ min: CHUNK - 2, max: CHUNK + 2 }),
    fc.integer({ min: 1, max: 3 * CHUNK }),
  ),
  profile: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  lastSeen: fc.integer({ min: 0, max: 2 ** 45 }),
  labelSet: fc.integer({ min: -1, max: 50_000 }),
  lastCheckIn: fc.integer({ min: 1, max: 2 ** 52 }),
  lastChange: fc.integer({ min: 1, max: 2 ** 52 }),
})

function put(
  table: DeviceTable,
  row: typeof numbers extends fc.Arbitrary<infer Row> ? Row : never,
): void {
  table.set(row.device, row.profile, row.lastSeen)
  table.setLabelSet(row.device, row.labelSet)
  table.setLastCheckIn(row.device, row.lastCheckIn)
  table.setLastChange(row.device, row.lastChange)
}

function look(devices: SharedDevices, device: number) {
  return {
    ...{ device, profile: devices.profile(device), lastSeen: devices.lastSeen(device) },
    ...{ labelSet: devices.labelSet(device), lastCheckIn: devices.lastCheckIn(device) },
    lastChange: devices.lastChange(device),
  }
}

describe('shared devices', () => {
  test('show every number that the table holds, without a copy', () => {
    fc.assert(
      fc.property(fc.array(numbers, { minLength: 1, maxLength: 30 }), (rows) => {
        const table = new DeviceTable()
        table.load(3 * CHUNK, 1, 1)
        const shared = new SharedDevices(table.share())
        const last = new Map(rows.map((row) => [row.device, row]))
        for (const row of rows) put(table, row)
        for (const [device, row] of last) {
          expect(look(shared, device)).toEqual(row)
          expect(look(table, device)).toEqual(row)
        }
        expect(shared.highest).toBe(3 * CHUNK)
      }),
      { numRuns: 30 },
    )
  })

  test('know nothing of numbers that are not in use, forgotten ones among them', () => {
    const nothing = { profile: 0, lastSeen: 0, labelSet: 0, lastCheckIn: 0, lastChange: 0 }
    expect(new SharedDevices([]).highest).toBe(0)
    expect(look(new SharedDevices([]), 7)).toEqual({ device: 7, ...nothing })
    const table = new DeviceTable()
    for (const device of [CHUNK, CHUNK + 5]) {
      put(table, {
        ...{ device, profile: 1, lastSeen: 2, labelSet: 3, lastCheckIn: 4, lastChange: 5 },
      })
    }
    table.forget(CHUNK + 5)
    const shared = new SharedDevices(table.share())
    expect(shared.highest).toBe(CHUNK)
    // But for when its number may be given out again.
    const forgotten = { device: CHUNK + 5, ...nothing, lastCheckIn: 4 }
    expect(look(shared, CHUNK + 5)).toEqual(forgotten)
    expect(look(shared, CHUNK)).toMatchObject({ profile: 1, lastChange: 5 })
    expect(look(shared, 9 * CHUNK)).toEqual({ device: 9 * CHUNK, ...nothing })
  })

  test('a chunk that came later is not seen until it is shared too', () => {
    const table = new DeviceTable()
    table.set(1, 7, 1)
    const before = new SharedDevices(table.share())
    table.set(CHUNK, 8, 1)
    expect([before.highest, before.profile(CHUNK)]).toEqual([1, 0])
    const after = new SharedDevices(table.share())
    expect([after.highest, after.profile(CHUNK), after.profile(1)]).toEqual([CHUNK, 8, 7])
  })

  test('another thread sees later changes', async () => {
    const table = new DeviceTable()
    table.set(1, 7, 1)
    const script = `
      const { parentPort, workerData } = require('node:worker_threads')
      const { url, chunks } = workerData
      import(url).then(({ SharedDevices }) => {
        const devices = new SharedDevices(chunks)
        parentPort.on('message', (device) => parentPort.postMessage(devices.lastSeen(device)))
        parentPort.postMessage(devices.lastSeen(1))
      })`
    const url = new URL(
      '../../../../../src/server/storage/shared/memory/shared-devices.ts',
      import.meta.url,
    ).href
    const worker = new Worker(script, { eval: true, workerData: { url, chunks: table.share() } })
    onTestFinished(async () => {
      await worker.terminate()
    })
    const next = () => new Promise((resolve) => worker.once('message', resolve))
    expect(await next()).toBe(1)
    table.set(1, 7, 1_774_000_000_001)
    worker.postMessage(1)
    expect(await next()).toBe(1_774_000_000_001)
  })
})

const NOW = Date.parse('2026-03-14T09:26:53Z')

const LIMITS = { '24h': DAY, '7d': 7 * DAY, '30d': 30 * DAY, '90d': 90 * DAY } as const

/** How long ago, often next to one of the limits. */
const ago = fc.oneof(
  fc.integer({ min: -DAY, max: 99 * DAY }),
  fc
    .constantFrom(...Object.values(LIMITS))
    .chain((limit) => fc.integer({ min: limit - 2, max: limit + 2 })),
)
const device = fc.oneof(
  fc.integer({ min: 1, max: 40 }),
  fc.integer({ min: CHUNK - 3, max: CHUNK + 3 }),
)
const checkIn = fc.record({ device, ago, profile: fc.integer({ min: 1, max: 5 }) })

test('equals a recount of the last check-ins, also after devices are deleted', () => {
  fc.assert(
    fc.property(
      fc.array(checkIn, { maxLength: 60 }),
      fc.array(device, { maxLength: 5 }),
      (all, gone) => {
        const table = new DeviceTable()
        const last = new Map<number, (typeof all)[number]>()
        for (const one of all) {
          table.set(one.device, one.profile, NOW - one.ago)
          last.set(one.device, one)
        }
        for (const one of gone.filter((number) => last.delete(number))) table.forget(one)
        const seen = countActiveDevices(table.share(), NOW, 7)
        const within = (profile: number, limit: number) =>
          [...last.values()].filter((one) => one.profile === profile && one.ago <= limit).length
        const profiles = [1, 2, 3, 4, 5].filter((profile) => within(profile, 90 * DAY) > 0)
        expect([...seen.profiles]).toEqual(profiles)
        for (const period of ['24h', '7d', '30d', '90d'] as const) {
          const recounted = profiles.map((profile) => within(profile, LIMITS[period]))
          expect([...seen.devices[period]]).toEqual(recounted)
        }
      },
    ),
  )
})

test('a device that was seen 25 hours ago is not one of 24 hours', () => {
  const table = new DeviceTable()
  table.set(1, 7, NOW - 25 * HOUR)
  table.set(2, 7, NOW - 23 * HOUR)
  const { profiles, devices } = countActiveDevices(table.share(), NOW, 7)
  expect([[...profiles], [...devices['24h']], [...devices['7d']]]).toEqual([[7], [1], [2]])
})

test('without any device there is nothing to count', () => {
  expect(countActiveDevices([], NOW, 0).profiles).toHaveLength(0)
})
