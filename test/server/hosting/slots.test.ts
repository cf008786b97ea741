import { expect, test } from 'vitest'
import { DownloadSlots, type Place } from '../../../src/server/hosting/download-slots.ts'
import { addressKey, networkKey } from '../../../src/server/runtime/limits/address-key.ts'
import { Bandwidth } from '../../../src/server/runtime/limits/bandwidth.ts'

const NEVER = new AbortController().signal

function release(place: Place): void {
  if (place.ok) place.release()
}

test('a network has its own limit, and is told so', async () => {
  const slots = new DownloadSlots({ total: 3, perNetwork: 1, patience: 0, random: () => 0.5 })
  const first = await slots.take('a', NEVER)
  expect(await slots.take('a', NEVER)).toEqual({ ok: false, reason: 'network', retrySeconds: 75 })
  expect((await slots.take('b', NEVER)).ok).toBe(true)
  expect((await slots.take('c', NEVER)).ok).toBe(true)
  expect(await slots.take('d', NEVER)).toMatchObject({ ok: false, reason: 'total' })
  release(first)
  release(first)
  expect(slots.counts).toEqual({ running: 2, waiting: 0, refused: 2 })
  expect((await slots.take('a', NEVER)).ok).toBe(true)
})

test('who waits gets the place of its own network in the order of arrival', async () => {
  const slots = new DownloadSlots({ total: 2, perNetwork: 1, patience: 60_000 })
  const [a, b] = [await slots.take('a', NEVER), await slots.take('b', NEVER)]
  const order: string[] = []
  const follow = async (name: string, network: string) => {
    const place = await slots.take(network, NEVER)
    order.push(name)
    return place
  }
  const secondOfA = follow('second of a', 'a')
  const secondOfB = follow('second of b', 'b')
  release(b)
  release(await secondOfB)
  release(a)
  release(await secondOfA)
  expect(order).toEqual(['second of b', 'second of a'])
  expect(slots.counts).toEqual({ running: 0, waiting: 0, refused: 0 })
})

test('no more wait than may run, and those who leave wait no longer', async () => {
  const slots = new DownloadSlots({ total: 1, perNetwork: 0, patience: 60_000 })
  const first = await slots.take('a', NEVER)
  const gone = new AbortController()
  const second = slots.take('b', gone.signal)
  expect((await slots.take('c', NEVER)).ok).toBe(false)
  gone.abort()
  expect((await second).ok).toBe(false)
  expect(slots.counts).toEqual({ running: 1, waiting: 0, refused: 2 })
  release(first)
})

test('a network that fills all waiting places gives way to others, one place for each', async () => {
  const slots = new DownloadSlots({ total: 4, perNetwork: 0, patience: 60_000 })
  const running = await Promise.all(['a', 'a', 'a', 'a'].map((name) => slots.take(name, NEVER)))
  const ended: string[] = []
  const wait = async (name: string, network: string) => {
    const place = await slots.take(network, NEVER)
    ended.push(`${name} ${place.ok ? 'runs' : 'is refused'}`)
    return place
  }
  const waiting = [1, 2, 3, 4].map((number) => wait(`a${number}`, 'a'))
  const b = [wait('b1', 'b'), wait('b2', 'b')]
  // Now both wait with two: neither gives way to the other.
  await Promise.all([wait('b3', 'b'), wait('a5', 'a')])
  expect(ended).toEqual(['a4 is refused', 'a3 is refused', 'b3 is refused', 'a5 is refused'])
  expect(slots.counts).toEqual({ running: 4, waiting: 4, refused: 4 })
  ended.length = 0
  for (const place of running) release(place)
  await Promise.all([...waiting, ...b])
  expect(ended).toEqual(['b1 runs', 'b2 runs', 'a1 runs', 'a2 runs'])
})

test('the places of a network that has left are given out again', async () => {
  const slots = new DownloadSlots({ total: 2, perNetwork: 0, patience: 60_000 })
  const running = [await slots.take('a', NEVER), await slots.take('a', NEVER)]
  const gone = new AbortController()
  const left = [slots.take('a', gone.signal), slots.take('a', gone.signal)]
  gone.abort()
  expect((await Promise.all(left)).map(({ ok }) => ok)).toEqual([false, false])
  const others = [slots.take('b', NEVER), slots.take('c', NEVER)]
  expect(slots.counts).toMatchObject({ running: 2, waiting: 2 })
  for (const place of running) release(place)
  for (const place of await Promise.all(others)) release(place)
  expect(slots.counts).toMatchObject({ running: 0, waiting: 0 })
})

test('bandwidth is shared out in turn, per client and in total, and is not saved up', () => {
  let now = 0
  const bandwidth = new Bandwidth({ total: 1_000, perClient: 100, clock: () => now })
  const one = bandwidth.begin('one')
  expect([one.wait(50), one.wait(50), one.wait(50)]).toEqual([0, 500, 1_000])
  const other = bandwidth.begin('other')
  // What everybody sends is 150 bytes by now, at a thousand a second.
  expect(other.wait(50)).toBe(150)
  now = 60_000
  expect([one.wait(50), one.wait(50)]).toEqual([0, 500])
  expect(new Bandwidth({ total: 0, perClient: 0 }).begin('one').wait(1_000)).toBe(0)
})

test.each([
  ['192.0.2.77', '192.0.2.0/24'],
  ['2001:db8:1:2::3', '2001:db8:1::/48'],
  ['::ffff:192.0.2.77', '192.0.2.0/24'],
  ['', ''],
])('the network of %s', (address, network) => {
  expect(networkKey(addressKey(address))).toBe(network)
})
