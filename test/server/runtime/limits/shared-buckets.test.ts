import { expect, test } from 'vitest'
import {
  type Charge,
  type LimitStore,
  SharedBuckets,
} from '../../../../src/server/runtime/limits/shared-buckets.ts'
import { eventually } from '../../../support/eventually.ts'

const MINUTE = 60_000
const OPTIONS = { capacity: 100, period: MINUTE, sharers: { count: 4 } }

/** A store on a clock that stands still, which answers when it is told. */
class HeldStore implements LimitStore {
  readonly missing = new Map<string, number>()
  readonly calls: PromiseWithResolvers<void>[] = []

  async charge(charges: readonly Charge[]): Promise<ReadonlyMap<string, number>> {
    const call = Promise.withResolvers<void>()
    this.calls.push(call)
    await call.promise
    for (const { name, used } of charges) {
      this.missing.set(name, (this.missing.get(name) ?? 0) + used)
    }
    return new Map(charges.map(({ name }) => [name, this.missing.get(name) ?? 0]))
  }
}

function open() {
  const store = new HeldStore()
  const time = { now: 0 }
  const buckets = new SharedBuckets({ ...OPTIONS, store, clock: () => time.now })
  return { store, time, buckets }
}

test('a tenth of the limit is allowed at once, and the next request when the store has answered', async () => {
  const { store, buckets } = open()
  for (let n = 1; n <= 10; n++) {
    expect(buckets.take('a')).toMatchObject({ allowed: true, limit: 100, remaining: 100 - n })
  }
  expect(buckets.take('b')).toMatchObject({ allowed: true })
  const next = buckets.take('a')
  expect(next).toBeInstanceOf(Promise)
  expect(store.calls).toHaveLength(1)
  store.calls[0]?.resolve()
  expect(await next).toMatchObject({ allowed: true, remaining: 89 })
  await eventually(() => expect(store.calls).toHaveLength(2))
})

test('what others used counts as soon as the store has said so', async () => {
  const { store, time, buckets } = open()
  store.missing.set('a', MINUTE)
  expect(buckets.take('a')).toMatchObject({ allowed: true, remaining: 99 })
  store.calls[0]?.resolve()
  await eventually(() => expect(store.missing.get('a')).toBe(1.01 * MINUTE))
  expect(buckets.take('a')).toEqual({
    ...{ allowed: false, limit: 100, remaining: 0, retrySeconds: 2, fullSeconds: 61 },
  })
  time.now += 1_200
  expect(buckets.take('a')).toMatchObject({ allowed: true, remaining: 0 })
})

test('while the store fails, each allows its part, and no part twice', async () => {
  const { store, buckets } = open()
  for (let n = 1; n <= 10; n++) buckets.take('a')
  const next = buckets.take('a')
  store.calls[0]?.reject(new Error('no answer'))
  expect(await next).toMatchObject({ allowed: true, limit: 25, remaining: 14 })
  let allowed = 11
  while ((await buckets.take('a')).allowed) allowed++
  expect(allowed).toBe(25)
  // It is asked again by itself, and told no more than a tenth of the limit.
  await eventually(() => expect(store.calls).toHaveLength(2))
  store.calls[1]?.resolve()
  await eventually(() => expect(buckets.take('a')).toMatchObject({ allowed: true, limit: 100 }))
  expect(store.missing.get('a')).toBe(MINUTE / 10)
})

test('whoever waits for a store that hangs is answered without it', async () => {
  const { buckets } = open()
  for (let n = 1; n <= 10; n++) buckets.take('a')
  expect(await buckets.take('a')).toMatchObject({ allowed: true, limit: 25 })
})

test('keys that are full again are forgotten', async () => {
  const { store, time, buckets } = open()
  for (let key = 0; key < 50; key++) buckets.take(`key-${key}`)
  store.calls[0]?.resolve()
  await eventually(() => expect(store.calls).toHaveLength(2))
  store.calls[1]?.resolve()
  await eventually(() => expect(store.missing.size).toBe(50))
  time.now += MINUTE
  await eventually(() => {
    buckets.take('last')
    for (const call of store.calls) call.resolve()
    expect(buckets.size).toBe(1)
  })
})
