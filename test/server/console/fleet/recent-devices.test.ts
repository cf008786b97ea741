import { expect, test } from 'vitest'
import { RecentDeviceCounts } from '../../../../src/server/console/fleet/recent-devices.ts'

const on = (channelKey: number, version: string, arch: string) => {
  return { channelKey, version, platform: 'linux', arch }
}
const SEEN = [
  { profile: on(4, '1.0.0', 'x86_64'), last24Hours: 1, last7Days: 2 },
  { profile: on(4, '1.0.0', 'aarch64'), last24Hours: 0, last7Days: 3 },
  { profile: on(4, '2.0.0', 'aarch64'), last24Hours: 4, last7Days: 5 },
]

/** Counts that tell how often they were asked to count, and when. */
function watched(pause: number) {
  const began: number[] = []
  const fleet = { sequence: 0, fails: false }
  const counts = new RecentDeviceCounts({
    count: async () => {
      began.push(performance.now())
      if (fleet.fails) throw new Error('the reader ended')
      return SEEN.map((seen) => ({ ...seen, last24Hours: seen.last24Hours + fleet.sequence }))
    },
    sequence: () => fleet.sequence,
    pause,
  })
  return { began, fleet, counts }
}

test('profiles are added up by channel and version', async () => {
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
