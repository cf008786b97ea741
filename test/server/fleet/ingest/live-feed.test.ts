import { describe, expect, test } from 'vitest'
import type { CheckIn } from '../../../../src/server/fleet/check-in.ts'
import { type FleetEvent, LiveFeed } from '../../../../src/server/fleet/ingest/live-feed.ts'
import { ProfileClaim } from '../../../../src/server/fleet/profile-claim.ts'

const EVENT: Omit<FleetEvent, 'sequence'> = {
  at: 1_774_000_000_000,
  channelKey: 1,
  deviceId: 'one',
  version: '1.0.0',
  platform: 'linux',
  arch: 'x86_64',
  source: 'check',
  reason: 'up_to_date',
}

const { channelKey, version, platform, arch, ...said } = EVENT
const profile = new ProfileClaim(channelKey, version, platform, arch)
const checkIn: CheckIn = { appKey: 1, profile, ...said }

function openFeed() {
  const failures: unknown[] = []
  const feed = new LiveFeed((error) => failures.push(error))
  const announce = () => feed.announce(checkIn)
  return { feed, failures, announce }
}

describe('the live feed', () => {
  test('every listener hears every event, numbered one by one', () => {
    const { feed, announce } = openFeed()
    const [one, other]: [FleetEvent[], FleetEvent[]] = [[], []]
    feed.subscribe((event) => one.push(event))
    feed.subscribe((event) => other.push(event))
    announce()
    announce()
    expect(one).toEqual([1, 2].map((sequence) => ({ sequence, ...EVENT })))
    expect(other).toEqual(one)
  })

  test('numbers continue without listeners, and nothing is described', () => {
    const { feed, announce } = openFeed()
    feed.announce({
      ...checkIn,
      get profile(): ProfileClaim {
        throw new Error('described for nobody')
      },
    })
    expect(feed.sequence).toBe(1)
    const received: number[] = []
    feed.subscribe(({ sequence }) => received.push(sequence))
    announce()
    expect(received).toEqual([2])
  })

  test('an unsubscribed listener gets nothing more, the others do', () => {
    const { feed, announce } = openFeed()
    const received: string[] = []
    const leave = feed.subscribe(() => received.push('leaves'))
    feed.subscribe(() => received.push('stays'))
    leave()
    leave()
    announce()
    expect(received).toEqual(['stays'])
  })

  test('a listener that throws is dropped and reported, and the others continue', () => {
    const { feed, failures, announce } = openFeed()
    const received: number[] = []
    const error = new Error('on purpose')
    let calls = 0
    feed.subscribe(() => {
      calls++
      throw error
    })
    feed.subscribe(({ sequence }) => received.push(sequence))
    announce()
    announce()
    expect({ received, failures, calls }).toEqual({ received: [1, 2], failures: [error], calls: 1 })
  })
})
