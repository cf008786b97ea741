import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { NotStored } from '../../../../../src/server/fleet/ingest/not-stored.ts'
import type { TelemetryBatch } from '../../../../../src/server/storage/fleet/batch.ts'
import { CHECK_IN_WIDTH, DEVICE_ROW_WIDTH } from '../../../../../src/server/storage/fleet/batch.ts'
import {
  type TelemetrySource,
  TelemetryWriter,
} from '../../../../../src/server/storage/fleet/ingest/writer.ts'
import { type Fate, MemoryFleetStore } from './memory-store.ts'

/** Check-ins by number and device rows by number, waiting to be written. */
class Source implements TelemetrySource {
  checkIns: number[] = []
  deviceRows: number[] = []
  readonly acknowledged: number[] = []
  lost = 0
  #last = 0

  get waiting(): number {
    return this.checkIns.length
  }

  get dirty(): boolean {
    return this.checkIns.length > 0 || this.deviceRows.length > 0
  }

  get dueIn(): number | undefined {
    return this.dirty ? 0 : undefined
  }

  put(count = 1): void {
    for (let left = count; left > 0; left--) this.checkIns.push(++this.#last)
  }

  get expected(): number[] {
    return Array.from({ length: this.#last }, (_, at) => at + 1)
  }

  takeBatch(number: number, rows: number): TelemetryBatch {
    const none = new Float64Array()
    const checkIns = this.checkIns.flatMap((id) => [id, ...Array(CHECK_IN_WIDTH - 1).fill(0)])
    const taken = this.deviceRows.splice(0, rows)
    const deviceRows = taken.flatMap((id) => [...Array(DEVICE_ROW_WIDTH - 1).fill(0), id])
    this.checkIns = []
    return {
      ...{ number, profiles: [], newDevices: [], erased: [], labels: [], rowsThrough: 0, lost: 0 },
      ...{ changes: none, gone: none, profileRows: none, retired: none },
      ...{ adoption: none, hourly: none, presence: none, traffic: none },
      checkIns: Float64Array.from(checkIns),
      deviceRows: Float64Array.from(deviceRows),
    }
  }

  refused(count: number): void {
    this.lost += count
  }

  committed({ checkIns }: TelemetryBatch): void {
    for (let at = 0; at < checkIns.length; at += CHECK_IN_WIDTH) {
      this.acknowledged.push(checkIns[at] ?? 0)
    }
  }
}

function setUp(...fates: Fate[]) {
  const source = new Source()
  const store = new MemoryFleetStore()
  store.fates.push(...fates)
  const failures: unknown[] = []
  const setAside: { heartbeats: number; reason: Error | null }[] = []
  const writer = new TelemetryWriter(source, store, 0, {
    onFailure: (error) => failures.push(error),
    onSetAside: (heartbeats, reason) => setAside.push({ heartbeats, reason }),
  })
  onTestFinished(() => {
    store.fates = []
    return writer.drain(Date.now() + 5_000).catch(() => {})
  })
  const put = (count = 1) => {
    source.put(count)
    writer.notify()
  }
  const until = (condition: () => void) => vi.waitFor(condition, { timeout: 5_000, interval: 5 })
  return { source, store, writer, failures, setAside, put, until }
}

describe('writing telemetry', () => {
  test('a check-in is written soon without anybody waiting for it', async () => {
    const { source, store, put, until } = setUp()
    put()
    expect(store.checkIns).toEqual([])
    await until(() => expect(store.checkIns).toEqual([1]))
    expect(source.acknowledged).toEqual([1])
  })

  test('check-ins that come together are one batch', async () => {
    const { store, put, until } = setUp()
    for (let count = 0; count < 100; count++) put()
    await until(() => expect(store.checkIns).toHaveLength(100))
    expect(store.tries).toEqual([1])
  })

  test('who waits is told after the commit, and what came meanwhile is the next batch', async () => {
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

  test('who waits while nothing is there to write is told too', async () => {
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
  })
})

describe('a store that fails', () => {
  test('keeps the batch and gives it again, before all that came later', async () => {
    const { source, store, writer, failures, put, until } = setUp('fails', 'fails')
    put()
    await until(() => expect(failures).toHaveLength(1))
    expect(writer.failure).toMatchObject({ message: 'the store fails on purpose' })
    put()
    await until(() => expect(store.checkIns).toEqual([1, 2]))
    expect(store.tries).toEqual([1, 1, 1, 2])
    expect(failures).toHaveLength(2)
    expect(writer.failure).toBeNull()
    expect(source.acknowledged).toEqual([1, 2])
  })

  test('who waits hears of the failure; who waits later, of the success', async () => {
    const { store, writer, put } = setUp('fails')
    put()
    await expect(writer.settled()).rejects.toThrow(NotStored)
    expect(store.checkIns).toEqual([])
    await writer.settled()
    expect(store.checkIns).toEqual([1])
  })

  test('who waits for what came after the failed batch is not told with that batch', async () => {
    const { store, writer, put } = setUp('fails')
    put()
    await expect(writer.settled()).rejects.toThrow(NotStored)
    put()
    await writer.settled()
    expect(store.checkIns).toEqual([1, 2])
  })

  test('everybody who waits hears of a try that fails again', async () => {
    const { writer, put } = setUp('fails', 'fails')
    put()
    const first = writer.settled()
    await expect(first).rejects.toThrow(NotStored)
    put()
    const later = [writer.settled(), writer.settled()]
    for (const waiting of later) await expect(waiting).rejects.toThrow(NotStored)
    await writer.settled()
  })

  test('a batch that was committed though its answer was lost is not applied twice', async () => {
    const { store, writer, put } = setUp('commits, then fails')
    put(3)
    await expect(writer.settled()).rejects.toThrow(NotStored)
    put()
    await writer.settled()
    expect(store.checkIns).toEqual([1, 2, 3, 4])
    expect(store.tries).toEqual([1, 1, 2])
  })

  test('nothing is lost, doubled or reordered, however the store fails', async () => {
    const fate = fc.constantFrom<Fate>('succeeds', 'fails', 'commits, then fails')
    const step = fc.record({ puts: fc.nat({ max: 3 }), waits: fc.boolean() })
    const fates = fc.array(fate, { maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(fates, fc.array(step, { maxLength: 6 }), async (drawn, steps) => {
        const { source, store, writer, put } = setUp(...drawn)
        for (const { puts, waits } of steps) {
          for (let count = 0; count < puts; count++) put()
          const sofar = source.expected
          // A failure promises nothing; a success promises everything until now.
          if (waits) {
            const committed = await writer.settled().then(
              () => true,
              () => false,
            )
            if (committed) expect(store.checkIns.slice(0, sofar.length)).toEqual(sofar)
          }
        }
        store.fates = []
        await writer.drain(Date.now() + 5_000)
        expect(store.checkIns).toEqual(source.expected)
      }),
      { numRuns: 12 },
    )
  })
})

describe('a batch that a constraint refuses again and again', () => {
  /** Lets so many of the writer's timers run out, one after the other. */
  async function run(timers: number) {
    for (let left = timers; left > 0; left--) {
      await vi.runOnlyPendingTimersAsync()
      // A commit and what follows it.
      for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
    }
  }

  function setUpWithoutPauses(...fates: Fate[]) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const parts = setUp(...fates)
    onTestFinished(() => {
      vi.useRealTimers()
    })
    return parts
  }

  const rejected = (times: number) => Array<Fate>(times).fill('is rejected')

  test('is committed without what is refused, which is counted, and telemetry goes on', async () => {
    const { source, store, writer, setAside, put } = setUpWithoutPauses(...rejected(6))
    put()
    const refused = expect(writer.settled()).rejects.toThrow(NotStored)
    await run(7)
    await refused
    expect(store.tries).toEqual([1, 1, 1, 1, 1, 1])
    const reason = expect.objectContaining({ message: 'rejected' })
    expect([store.salvaged, setAside]).toEqual([[1], [{ heartbeats: 1, reason }]])
    expect([source.lost, writer.failure]).toEqual([1, null])
    // The next one is not tried as often, until one is not refused.
    store.fates.push(...rejected(1))
    put()
    await run(2)
    expect([store.tries.slice(6), store.salvaged]).toEqual([[2], [1, 2]])
    put()
    await run(1)
    store.fates.push(...rejected(5))
    put()
    await run(6)
    expect(store.tries.slice(7)).toEqual([3, 4, 4, 4, 4, 4, 4])
    expect(store.salvaged).toEqual([1, 2])
    expect(store.checkIns).toEqual(source.expected)
  })

  test('is kept while the store fails for another reason', async () => {
    const { store, put } = setUpWithoutPauses(...Array<Fate>(12).fill('fails'))
    put()
    await run(13)
    expect([store.tries.length, store.salvaged]).toEqual([13, []])
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

  test('a batch on its way is waited for', async () => {
    const { store, writer, put, until } = setUp()
    const release = store.hold()
    put()
    await until(() => expect(store.tries).toEqual([1]))
    const drained = writer.drain(Date.now() + 5_000)
    release()
    await drained
    expect(store.checkIns).toEqual([1])
  })

  test('a batch on its way that fails is given once more', async () => {
    const { store, writer, put, until } = setUp('fails')
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

  test('where the store fails it says so, and nothing is tried any more', async () => {
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

  test('who still waits at the deadline is told that it will not be', async () => {
    const { source, store, writer, put } = setUp()
    const release = store.hold()
    put()
    const first = writer.settled()
    await vi.waitFor(() => expect(store.tries).toEqual([1]))
    put()
    const second = expect(writer.settled()).rejects.toThrow(/any more/)
    const drained = writer.drain(Date.now() - 1)
    release()
    await Promise.all([first, second, drained])
    expect(store.checkIns).toEqual([1])
    source.checkIns = []
  })
})
