import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { NotStored } from '../../../../../src/server/fleet/ingest/not-stored.ts'
import { eventually } from '../../../../support/eventually.ts'
import { ROWS_TIME } from './memory-store.ts'
import { setUp } from './writer-set-up.ts'

describe('writing telemetry', () => {
  test('a check-in is written soon without anybody waiting for it', async () => {
    const { source, store, put, until } = setUp()
    put()
    expect(store.checkIns).toEqual([])
    await until(() => expect(store.checkIns).toEqual([1]))
    expect(source.acknowledged).toEqual([1])
  })

  test('a check-in waits 50 ms for others; 2,000 do not wait', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const { store, put, until } = setUp()
    put()
    vi.advanceTimersByTime(49)
    put()
    expect(store.tries).toEqual([])
    vi.advanceTimersByTime(1)
    expect(store.tries).toEqual([1])
    await vi.advanceTimersByTimeAsync(0)
    await until(() => expect(store.checkIns).toHaveLength(2))
    put(1_999)
    vi.advanceTimersByTime(49)
    expect(store.tries).toEqual([1])
    put()
    vi.advanceTimersByTime(0)
    expect(store.tries).toEqual([1, 2])
  })

  test('check-ins that come together are one batch', async () => {
    const { store, put, until } = setUp()
    for (let count = 0; count < 100; count++) put()
    await until(() => expect(store.checkIns).toHaveLength(100))
    expect(store.tries).toEqual([1])
  })

  test('callers wait for their commit, and later data is the next batch', async () => {
    const { source, store, writer, put, until } = setUp()
    const release = store.hold()
    put()
    let settled = false
    const first = writer.settled().then(() => {
      settled = true
    })
    await until(() => expect(store.tries).toEqual([1]))
    put()
    const second = writer.settled()
    expect(settled).toBe(false)
    release()
    await first
    expect(source.acknowledged).toContain(1)
    await second
    expect(store.checkIns).toEqual([1, 2])
    expect(store.tries).toEqual([1, 2])
  })

  test('callers that wait for an empty batch are resolved too', async () => {
    const { writer } = setUp()
    await writer.settled()
  })

  test('one batch at a time', async () => {
    const { source, store, writer, put } = setUp()
    const all: Promise<void>[] = []
    for (let round = 0; round < 20; round++) {
      put(1_500)
      all.push(writer.settled())
      await new Promise(setImmediate)
    }
    await Promise.all(all)
    expect(store.mostAtOnce).toBe(1)
    expect(store.checkIns).toEqual(source.expected)
  })

  test('device rows follow without a check-in, and in portions', async () => {
    const { source, store, writer, until } = setUp()
    source.deviceRows = Array.from({ length: 1_200 }, (_, at) => at + 1)
    writer.notify()
    await until(() => expect(store.deviceRows).toHaveLength(1_200))
    expect(store.tries.length).toBeGreaterThan(1)
    await until(() => expect(source.rowsTimes).toHaveLength(store.tries.length))
    expect(new Set(source.rowsTimes)).toEqual(new Set([ROWS_TIME]))
  })
})

describe('the end', () => {
  test('everything is written, device rows included', async () => {
    const { source, store, writer, put } = setUp()
    put(10)
    source.deviceRows = Array.from({ length: 2_000 }, (_, at) => at + 1)
    await writer.drain(Date.now() + 5_000)
    expect(store.checkIns).toEqual(source.expected)
    expect(store.deviceRows).toHaveLength(2_000)
  })

  test.each([
    ['is waited for', []],
    ['that fails is given once more', ['fails']],
  ] as const)('a batch on its way %s', async (_, fates) => {
    const { store, writer, put, until } = setUp(...fates)
    const release = store.hold()
    put()
    await until(() => expect(store.tries).toEqual([1]))
    const drained = writer.drain(Date.now() + 5_000)
    release()
    await drained
    expect(store.checkIns).toEqual([1])
  })

  test('the deadline ends it though rows are left', async () => {
    const { source, store, writer } = setUp()
    source.deviceRows = Array.from({ length: 2_000 }, (_, at) => at + 1)
    await writer.drain(Date.now() - 1)
    expect(store.tries).toEqual([])
    source.deviceRows = []
  })

  test('a failed store is reported, and nothing is retried', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const { store, writer, put } = setUp('fails')
    put()
    const drained = writer.drain(Date.now() + 5_000)
    const refused = expect(drained).rejects.toThrow(NotStored)
    await vi.advanceTimersByTimeAsync(1)
    await refused
    put()
    await expect(writer.settled()).rejects.toThrow(/any more/)
    expect(vi.getTimerCount()).toBe(0)
    expect(store.tries).toEqual([1])
  })

  test('callers that still wait at the deadline are rejected', async () => {
    const { source, store, writer, put } = setUp()
    const release = store.hold()
    put()
    const first = writer.settled()
    await eventually(() => expect(store.tries).toEqual([1]))
    put()
    const second = expect(writer.settled()).rejects.toThrow(/any more/)
    const drained = writer.drain(Date.now() - 1)
    release()
    await Promise.all([first, second, drained])
    expect(store.checkIns).toEqual([1])
    source.checkIns = []
  })
})
