import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Mutex } from '../../../../src/server/runtime/async/mutex.ts'

test('one task runs at a time, in the order of the calls, even if others fail', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ ticks: fc.nat(3), fails: fc.boolean() }), { maxLength: 12 }),
      async (tasks) => {
        const mutex = new Mutex()
        const log: string[] = []
        const runs = tasks.map(({ ticks, fails }, index) =>
          mutex.run(async () => {
            log.push(`begin ${index}`)
            for (let tick = 0; tick < ticks; tick++) await Promise.resolve()
            log.push(`end ${index}`)
            if (fails) throw new Error('on purpose')
          }),
        )
        const outcomes = await Promise.allSettled(runs)
        expect(log).toEqual(tasks.flatMap((_, index) => [`begin ${index}`, `end ${index}`]))
        expect(outcomes.map(({ status }) => status === 'rejected')).toEqual(
          tasks.map(({ fails }) => fails),
        )
      },
    ),
  )
})

test('a task beyond those that may wait, or that waited for too long, never runs', async () => {
  const mutex = new Mutex({ waiting: 1, busy: () => new Error('come back later') })
  const end = await mutex.take()
  const ran: string[] = []
  const late = mutex.run(async () => ran.push('late'), 1)
  await expect(mutex.run(async () => ran.push('beyond'))).rejects.toThrow('come back later')
  await expect(late).rejects.toThrow('come back later')
  end()
  await mutex.run(async () => ran.push('next'))
  expect(ran).toEqual(['next'])
})

test('a task that is aborted gives up its place in the queue', async () => {
  const mutex = new Mutex({ waiting: 1, busy: () => new Error('busy') })
  const end = await mutex.take()
  const controller = new AbortController()
  const aborted = mutex.take(undefined, controller.signal)
  await expect(mutex.take()).rejects.toThrow('busy')
  controller.abort(new Error('no longer wanted'))
  await expect(aborted).rejects.toThrow('no longer wanted')
  await expect(mutex.take(undefined, controller.signal)).rejects.toThrow('no longer wanted')
  const next = mutex.take()
  end()
  const endNext = await next
  endNext()
  await mutex.run(async () => {})
})
