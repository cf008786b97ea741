import { describe, expect, test } from 'vitest'
import { liveBatches } from '../../../../src/server/console/fleet/fleet.ts'
import { LiveFeed } from '../../../../src/server/fleet/ingest/live-feed.ts'
import { ProfileClaim } from '../../../../src/server/fleet/profile-claim.ts'
import { LIVE_BATCH } from '../../../../src/shared/console/fleet.ts'
import { check } from '../../../support/servers/calls.ts'
import { callerOf, startConsole } from '../../../support/servers/console.ts'

function startFeed(channelName: (key: number) => string | undefined = () => 'stable') {
  let described = 0
  const feed = new LiveFeed(() => {})
  const controller = new AbortController()
  const batches = liveBatches(feed, channelName, controller.signal)
  const announce = (times: number, channelKey = 1) => {
    for (let n = 0; n < times; n++) {
      feed.announce({
        ...{ appKey: 1, deviceId: 'a', at: 0, source: 'check', reason: 'up_to_date' },
        get profile() {
          described++
          return new ProfileClaim(channelKey, '1.0.0', 'linux', 'x64')
        },
      })
    }
  }
  return { controller, batches, announce, described: () => described }
}

describe('the live feed of the console', () => {
  test('begins with an empty batch once it listens', async () => {
    const { batches } = startFeed()
    expect((await batches.next()).value).toEqual({ checkIns: [], leftOut: 0 })
    await batches.return()
  })

  test('returns the latest of many, newest first, and how many it omits', async () => {
    const { batches, announce } = startFeed()
    await batches.next()
    announce(1_000)
    const { value } = await batches.next()
    const sequences = value?.checkIns.map(({ sequence }) => sequence)
    expect(sequences).toEqual(Array.from({ length: LIVE_BATCH }, (_, index) => 1_000 - index))
    expect(value?.leftOut).toBe(1_000 - LIVE_BATCH)
    await batches.return()
  })

  test('pauses after a batch, and collects later check-ins in one batch', async () => {
    const { batches, announce } = startFeed()
    await batches.next()
    announce(1)
    await batches.next()
    const resting = batches.next()
    for (let bit = 0; bit < 4; bit++) {
      announce(10)
      await new Promise((resolve) => setImmediate(resolve))
    }
    const { value } = await resting
    expect(value?.checkIns).toHaveLength(LIVE_BATCH)
    expect(value?.leftOut).toBe(40 - LIVE_BATCH)
    await batches.return()
  })

  test('omits other channels', async () => {
    const { batches, announce } = startFeed((key) => (key === 2 ? 'beta' : undefined))
    await batches.next()
    announce(3)
    announce(1, 2)
    const { value } = await batches.next()
    expect(value).toMatchObject({ checkIns: [{ sequence: 4, channel: 'beta' }], leftOut: 0 })
    await batches.return()
  })

  test('ends with its signal, while it waits and while it rests, and then listens no more', async () => {
    for (const events of [0, 1]) {
      const { batches, controller, announce, described } = startFeed()
      await batches.next()
      announce(events)
      if (events > 0) await batches.next()
      const next = batches.next()
      controller.abort()
      expect((await next).done).toBe(true)
      announce(5)
      expect(described()).toBe(events)
    }
  })

  test('returns a real check with its decision', async () => {
    const { server } = await startConsole()
    const controller = new AbortController()
    const batches = await callerOf(server, controller.signal).fleet.live({ app: 'editor' })
    const iterator = batches[Symbol.asyncIterator]()
    await iterator.next()
    await check(server, '1.0.0', { device: 'a-device' })
    expect((await iterator.next()).value).toMatchObject({
      checkIns: [
        { deviceId: 'a-device', channel: 'stable', version: '1.0.0', reason: 'no_release' },
      ],
    })
    controller.abort()
    expect((await iterator.next()).done).toBe(true)
  })
})
