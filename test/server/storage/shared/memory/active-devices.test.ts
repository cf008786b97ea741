import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countActiveDevices } from '../../../../../src/server/storage/shared/memory/active-devices.ts'
import { DeviceTable } from '../../../../../src/server/storage/shared/memory/device-table.ts'
import { DAY, HOUR } from '../../../../support/builders/time.ts'

const NOW = Date.parse('2026-03-14T09:26:53Z')
const CHUNK = 16_384

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
