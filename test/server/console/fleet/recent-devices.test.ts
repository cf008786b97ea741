import { expect, test } from 'vitest'
import { RecentDeviceCounts } from '../../../../src/server/console/fleet/recent-devices.ts'

const on = (channelKey: number, version: string, arch: string) => {
  return { channelKey, version, platform: 'linux', arch }
}
const seen = (day: number, week: number, month: number) => {
  return { '24h': day, '7d': week, '30d': month, '90d': month }
}
const SEEN = [
  { profile: on(4, '1.0.0', 'x86_64'), seen: seen(1, 2, 2) },
  { profile: on(4, '1.0.0', 'aarch64'), seen: seen(0, 3, 7) },
  { profile: on(4, '2.0.0', 'aarch64'), seen: seen(4, 5, 5) },
  { profile: on(4, '0.9.0', 'aarch64'), seen: seen(0, 0, 1) },
]

/** Counts that tell how often they were asked to count, and when. */
function watched(pause: number) {
  const began: number[] = []
  const fleet = { sequence: 0, fails: false }
  const counts = new RecentDeviceCounts({
    count: async () => {
      began.push(performance.now())
      if (fleet.fails) throw new Error('the reader ended')
      return SEEN.map((one) => ({
        ...one,
        seen: { ...one.seen, '24h': one.seen['24h'] + fleet.sequence },
      }))
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
          seen: { '24h': 5, '7d': 10, '30d': 15, '90d': 15 },
          profiles: SEEN,
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

test('requests soon after a check-in share the next count, which includes it', async () => {
  const { began, fleet, counts } = watched(50)
  await counts.get()
  fleet.sequence = 1
  const [one, other] = await Promise.all([counts.get(), counts.get()])
  expect(one).toBe(other)
  expect(one.get(4)?.seen['24h']).toBe(9)
  expect(began).toHaveLength(2)
})

test('a failed count rejects its requests, and the next one counts again', async () => {
  const { began, fleet, counts } = watched(60_000)
  fleet.fails = true
  await expect(counts.get()).rejects.toThrow('the reader ended')
  fleet.fails = false
  expect((await counts.get()).get(4)?.seen['7d']).toBe(10)
  expect(began).toHaveLength(2)
})
