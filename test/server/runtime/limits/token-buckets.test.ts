import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TokenBuckets } from '../../../../src/server/runtime/limits/token-buckets.ts'

const MINUTE = 60_000

/** Buckets of ten tokens a minute, so one in six seconds, on a clock that the test sets. */
function bucketsAt(time: { now: number }, maxKeys?: number): TokenBuckets {
  const options = { capacity: 10, period: MINUTE, clock: () => time.now }
  return new TokenBuckets(maxKeys === undefined ? options : { ...options, maxKeys })
}

function drain(buckets: TokenBuckets, key: string): number {
  let taken = 0
  while (buckets.take(key).allowed) taken += 1
  return taken
}

test('a bucket starts full and fills up continuously', () => {
  const time = { now: 5 }
  const buckets = bucketsAt(time)
  expect(buckets.take('a')).toEqual({
    ...{ allowed: true, limit: 10, remaining: 9, retrySeconds: 0, fullSeconds: 6 },
  })
  expect(drain(buckets, 'a')).toBe(9)
  expect(buckets.take('a')).toEqual({
    ...{ allowed: false, limit: 10, remaining: 0, retrySeconds: 6, fullSeconds: 60 },
  })
  time.now += 5_500
  expect(buckets.take('a')).toMatchObject({ allowed: false, retrySeconds: 1 })
  time.now += 500
  expect(buckets.take('a')).toMatchObject({ allowed: true, remaining: 0, retrySeconds: 6 })
  time.now += 15_000
  expect(drain(buckets, 'a')).toBe(2)
  time.now += 10 * MINUTE
  expect(drain(buckets, 'a')).toBe(10)
})

test('each key has its own bucket', () => {
  const buckets = bucketsAt({ now: 0 })
  expect(drain(buckets, 'a')).toBe(10)
  expect(buckets.take('b')).toMatchObject({ allowed: true, remaining: 9 })
})

test('a capacity of 0 lets everything through and keeps nothing', () => {
  const buckets = new TokenBuckets({ capacity: 0, period: MINUTE })
  expect(buckets.enabled).toBe(false)
  expect(buckets.take('a').allowed && buckets.take('a').allowed).toBe(true)
  expect(buckets.size).toBe(0)
})

test('any number of keys takes bounded memory and does not limit others', () => {
  const buckets = bucketsAt({ now: 0 }, 100)
  for (let key = 0; key < 10_000; key += 1) {
    expect(buckets.take(`stranger-${key}`).remaining).toBe(9)
    expect(buckets.size).toBeLessThanOrEqual(100)
  }
})

test('a drained bucket in use stays drained while strangers come by', () => {
  const buckets = bucketsAt({ now: 0 }, 100)
  drain(buckets, 'flooder')
  for (let key = 0; key < 10_000; key += 1) {
    buckets.take(`stranger-${key}`)
    if (key % 40 === 0) expect(buckets.take('flooder').allowed).toBe(false)
  }
})

test('keys unused for two periods are forgotten, and those in use are not', () => {
  const time = { now: 0 }
  const buckets = bucketsAt(time)
  for (let key = 0; key < 1_000; key += 1) buckets.take(`gone-${key}`)
  for (let step = 0; step < 20; step += 1) {
    drain(buckets, 'busy')
    time.now += MINUTE / 10
    expect(drain(buckets, 'busy')).toBe(1)
  }
  expect(buckets.size).toBe(1)
})

test('never allows more than the capacity and what has grown back since', () => {
  const waits = fc.array(fc.double({ min: 0, max: 30_000, noNaN: true }), { maxLength: 200 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000 }), waits, (capacity, pauses) => {
      const time = { now: 0 }
      const buckets = new TokenBuckets({ capacity, period: MINUTE, clock: () => time.now })
      let allowed = 0
      for (const pause of pauses) {
        time.now += pause
        const verdict = buckets.take('a')
        if (verdict.allowed) allowed += 1
        else expect(verdict.retrySeconds).toBeGreaterThanOrEqual(1)
        expect(verdict.remaining).toBeLessThan(capacity)
        expect(allowed).toBeLessThanOrEqual(capacity + (time.now / MINUTE) * capacity + 0.01)
      }
    }),
  )
})

test('a refused caller is let through after the seconds it was given', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000 }), (capacity) => {
      const time = { now: 0 }
      const buckets = new TokenBuckets({ capacity, period: MINUTE, clock: () => time.now })
      expect(drain(buckets, 'a')).toBe(capacity)
      time.now += buckets.take('a').retrySeconds * 1_000
      expect(buckets.take('a').allowed).toBe(true)
    }),
  )
})

test('those that divide a limit allow no more of it together than one alone', () => {
  const time = { now: 0 }
  const sharers = { count: 3 }
  const one = new TokenBuckets({
    ...{ capacity: 10, period: MINUTE, sharers },
    clock: () => time.now,
  })
  expect(one.take('a')).toMatchObject({ limit: 3, remaining: 2 })
  expect(drain(one, 'a')).toBe(2)
  sharers.count = 2
  time.now += 6_000
  expect(one.take('a')).toMatchObject({ allowed: true, limit: 5, remaining: 0 })
  sharers.count = 50
  expect(one.take('a')).toMatchObject({ allowed: false, limit: 1, retrySeconds: 60 })
  time.now += 60_000
  expect(drain(one, 'a')).toBe(1)
})
