import { expect, test } from 'vitest'
import { RecentDeviceCounts } from '../../../../src/server/console/fleet/recent-devices.ts'

const SEEN = {
  profiles: Int32Array.of(1, 2, 3, 9),
  last24Hours: Int32Array.of(1, 0, 4, 7),
  last7Days: Int32Array.of(2, 3, 5, 8),
}
const PLACES = [
  { channelKey: 4, version: '1.0.0' },
  { channelKey: 4, version: '1.0.0' },
  { channelKey: 4, version: '2.0.0' },
]

/** Counts that tell how often they were asked to count, and when. */
function watched(pause: number) {
  const began: number[] = []
  const fleet = { sequence: 0, fails: false }
  const counts = new RecentDeviceCounts({
    count: async () => {
      began.push(performance.now())
      if (fleet.fails) throw new Error('the reader ended')
      return { ...SEEN, last24Hours: SEEN.last24Hours.map((devices) => devices + fleet.sequence) }
    },
    profile: (id) => {
      const place = PLACES[id - 1]
      return place && { id, ...place, platform: 'linux', arch: id === 1 ? 'x86_64' : 'aarch64' }
    },
    sequence: () => fleet.sequence,
    pause,
  })
  return { began, fleet, counts }
}

test('profiles are added up by channel and version, without those of a channel that is gone', async () => {
  expect(await watched(1_000).counts.get()).toEqual(
    new Map([
      [
        4,
        {
          ...{ last24Hours: 5, last7Days: 10 },
          byVersion: new Map([
            ['1.0.0', 5],
            ['2.0.0', 5],
          ]),
        },
      ],
    ]),
  )
})

test('however many ask, all devices are counted once in a while', async () => {
  const { began, counts } = watched(60_000)
  await Promise.all(Array.from({ length: 50 }, () => counts.get()))
  await counts.get()
  expect(began).toHaveLength(1)
})

test('who asks soon after a check-in shares the next count, which has it', async () => {
  const { began, fleet, counts } = watched(50)
  await counts.get()
  fleet.sequence = 1
  const [one, other] = await Promise.all([counts.get(), counts.get()])
  expect(one).toBe(other)
  expect(one.get(4)?.last24Hours).toBe(8)
  expect(began).toHaveLength(2)
})

test('a count that failed is told to who asked, and the next one counts anew', async () => {
  const { began, fleet, counts } = watched(60_000)
  fleet.fails = true
  await expect(counts.get()).rejects.toThrow('the reader ended')
  fleet.fails = false
  expect((await counts.get()).get(4)?.last7Days).toBe(10)
  expect(began).toHaveLength(2)
})
