import { expect, test } from 'vitest'
import type { CheckIn } from '../../../../src/server/fleet/check-in.ts'
import {
  FeedExchange,
  type FeedNodes,
  FeedSample,
  readMessage,
} from '../../../../src/server/fleet/ingest/feed-exchange.ts'
import { type FleetEvent, LiveFeed } from '../../../../src/server/fleet/ingest/live-feed.ts'
import { ProfileClaim } from '../../../../src/server/fleet/profile-claim.ts'
import { eventually } from '../../../support/eventually.ts'

const EVENT: FleetEvent = {
  sequence: 1,
  at: 1_774_000_000_000,
  channelKey: 1,
  deviceId: 'one',
  version: '1.0.0',
  platform: 'linux',
  arch: 'x86_64',
  source: 'check',
  reason: 'up_to_date',
}
const { sequence: _, ...SENT } = EVENT

const checkIn = (deviceId: string): CheckIn => ({
  ...{ appKey: 1, deviceId, at: EVENT.at, source: 'check', reason: 'up_to_date' },
  profile: new ProfileClaim(1, '1.0.0', 'linux', 'x86_64'),
})

test('a message has some check-ins of each channel, and how many were left out', () => {
  const sample = new FeedSample()
  expect(sample.take(7)).toBeUndefined()
  for (let n = 0; n < 8; n++) sample.add(EVENT)
  sample.add({ ...EVENT, channelKey: 2, deviceId: null, reason: null })
  const first = readMessage(sample.take(7) ?? '')
  expect(first?.node).toBe(7)
  expect(first?.events).toEqual([
    { ...SENT, leftOut: 3 },
    ...Array.from({ length: 4 }, () => ({ ...SENT, leftOut: 0 })),
    { ...SENT, channelKey: 2, deviceId: null, reason: null, leftOut: 0 },
  ])
  expect(sample.take(7)).toBeUndefined()
  sample.add(EVENT)
  expect(readMessage(sample.take(7) ?? '')?.events).toEqual([{ ...SENT, leftOut: 0 }])
})

test('a message fits, whatever the check-ins are', () => {
  const sample = new FeedSample()
  for (let channelKey = 1; channelKey <= 40; channelKey++) {
    for (let n = 0; n < 7; n++) {
      sample.add({
        ...EVENT,
        channelKey,
        version: `1.0.0-${'9'.repeat(200)}`,
        deviceId: '😀'.repeat(30),
      })
    }
  }
  const message = sample.take(1) ?? ''
  expect(Buffer.byteLength(message)).toBeLessThan(8_000)
  const { events = [] } = readMessage(message) ?? {}
  expect(events.length).toBeGreaterThan(10)
  for (let channelKey = 1; channelKey <= 40; channelKey++) sample.add({ ...EVENT, channelKey })
  const later = readMessage(sample.take(1) ?? '')?.events ?? []
  expect(later).toHaveLength(40)
  const leftOut = [...events, ...later].reduce((sum, event) => sum + (event.leftOut ?? 0), 0)
  expect(events.length + leftOut).toBe(280)
})

test.each(['', '{}', '[1,[[2]]]', '[1,[["x",1,null,"","","","check",null,0]]]'])(
  'what is no message is ignored: %s',
  (message) => {
    expect(readMessage(message)).toBeUndefined()
  },
)

/** Nodes that hear each other at once. */
function openNodes(count: number) {
  const states = Array.from({ length: count }, () => ({ watching: false }))
  const listeners = new Set<() => void>()
  const hearers = new Set<(message: string) => void>()
  const sent: string[] = []
  const list = () => {
    for (const listener of listeners) listener()
  }
  const nodes = states.map((state, id): FeedNodes => {
    return {
      id,
      list: () => ({
        nodes: states.map((each) => ({ own: each === state, state: each })),
        failing: false,
      }),
      report: ({ watching }) => {
        state.watching = watching
      },
      onListed: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      send: async (message) => {
        sent.push(message)
        for (const hearer of hearers) hearer(message)
      },
      hear: (hearer) => {
        hearers.add(hearer)
        return () => hearers.delete(hearer)
      },
    }
  })
  const feeds = nodes.map(() => new LiveFeed((error) => expect.unreachable(String(error))))
  const exchanges = feeds.map((feed, n) => new FeedExchange(feed, nodes[n] as FeedNodes))
  return { states, list, sent, hearers, feeds, exchanges }
}

test('whoever watches on one node sees the check-ins of all, and nothing is sent for nobody', async () => {
  const { states, list, sent, hearers, feeds, exchanges } = openNodes(3)
  const [one, two, three] = feeds
  two?.announce(checkIn('before'))
  const seen: FleetEvent[] = []
  const leave = one?.subscribe((event) => seen.push(event))
  expect(states.map(({ watching }) => watching)).toEqual([true, false, false])
  list()
  one?.announce(checkIn('a'))
  two?.announce(checkIn('b'))
  three?.announce(checkIn('c'))
  await eventually(() => {
    expect(seen.map(({ deviceId }) => deviceId).sort()).toEqual(['a', 'b', 'c'])
  })
  expect(seen.map(({ sequence }) => sequence)).toEqual([1, 2, 3])
  expect([one?.announced, two?.announced, three?.announced]).toEqual([1, 2, 1])
  expect(sent).toHaveLength(2)
  leave?.()
  expect(states.map(({ watching }) => watching)).toEqual([false, false, false])
  expect(hearers.size).toBe(0)
  list()
  two?.announce({
    ...checkIn('d'),
    get profile(): ProfileClaim {
      throw new Error('described for nobody')
    },
  })
  for (const exchange of exchanges) exchange.stop()
  expect(sent).toHaveLength(2)
})
