import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { NotStored } from '../../../../../src/server/fleet/ingest/not-stored.ts'
import type { Fate } from './memory-store.ts'
import { setUp } from './writer-set-up.ts'

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

  test('callers get the failure of their batch; later callers get the success', async () => {
    const { store, writer, put } = setUp('fails')
    put()
    await expect(writer.settled()).rejects.toThrow(NotStored)
    expect(store.checkIns).toEqual([])
    await writer.settled()
    expect(store.checkIns).toEqual([1])
  })

  test('callers of a later batch do not get the failure', async () => {
    const { store, writer, put } = setUp('fails')
    put()
    await expect(writer.settled()).rejects.toThrow(NotStored)
    put()
    await writer.settled()
    expect(store.checkIns).toEqual([1, 2])
  })

  test('all waiting callers get a repeated failure', async () => {
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

  test('is committed without rejected rows, which are counted', async () => {
    const { source, store, writer, setAside, put } = setUpWithoutPauses(...rejected(6))
    put()
    const refused = expect(writer.settled()).rejects.toThrow(NotStored)
    await run(7)
    await refused
    expect(store.tries).toEqual([1, 1, 1, 1, 1, 1])
    const reason = expect.objectContaining({ message: 'rejected' })
    expect([store.salvaged, setAside]).toEqual([[1], [{ checkIns: 1, reason }]])
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
