import { expect, test } from 'vitest'
import { RepeatedCalls } from '../../../../src/server/runtime/async/repeated-calls.ts'

const MINUTE = 60_000

/** Calls on a clock that is moved; each run has a number. */
function startCalls(hasOthers = false) {
  const time = { now: 1_000_000 }
  const calls = new RepeatedCalls({ clock: () => time.now, hasOthers: () => hasOthers })
  let runs = 0
  const run = (
    key: string,
    { who = 'ada', content = 'publish', age = 0, isFinal = true, size = 1 } = {},
  ) =>
    calls.run(
      { who, key, content, ...(age > 0 ? { age } : {}) },
      async () => ++runs,
      () => (isFinal ? size : null),
    )
  return { time, calls, run, runs: () => runs }
}

test('a repeat gets the outcome of the first attempt, also while it runs', async () => {
  const { calls } = startCalls()
  const first = Promise.withResolvers<string>()
  let runs = 0
  const attempt = () =>
    calls.run(
      { who: 'ada', key: 'one', content: 'publish' },
      () => {
        runs += 1
        return first.promise
      },
      () => 1,
    )
  const answers = [attempt(), attempt()]
  first.resolve('published')
  expect(await Promise.all(answers)).toEqual([{ outcome: 'published' }, { outcome: 'published' }])
  expect(await attempt()).toEqual({ outcome: 'published' })
  expect(runs).toBe(1)
})

test('a key counts for one caller and one content', async () => {
  const { run, runs } = startCalls()
  await run('one')
  expect(await run('one', { content: 'delete' })).toBe('other_call')
  expect(await run('one', { who: 'ben' })).toEqual({ outcome: 2 })
  expect(runs()).toBe(2)
})

test('what is not final runs again, and so does what threw', async () => {
  const { run, runs, calls } = startCalls()
  await run('one', { isFinal: false })
  await run('one', { isFinal: false })
  expect(runs()).toBe(2)
  const call = { who: 'ada', key: 'two', content: 'publish' }
  const failing = calls.run(
    call,
    () => Promise.reject(new Error('disk full')),
    () => 1,
  )
  await expect(failing).rejects.toThrow('disk full')
  expect(
    await calls.run(
      call,
      async () => 'stored',
      () => 1,
    ),
  ).toEqual({ outcome: 'stored' })
})

test('a repeat runs only where its first attempt cannot have run unseen', async () => {
  const { time, run, runs } = startCalls()
  time.now += MINUTE
  // It was sent before this process began, or after it and never arrived.
  expect(await run('before', { age: 2 * MINUTE })).toBe('unknown')
  expect(await run('lost', { age: MINUTE / 2 })).toEqual({ outcome: 1 })
  expect(await startCalls(true).run('elsewhere', { age: 1 })).toBe('unknown')
  // One that was forgotten to make room is not run again either.
  await run('first')
  time.now += MINUTE
  for (let call = 0; call < 50; call += 1) await run(`more ${call}`)
  expect(await run('first', { age: MINUTE })).toBe('unknown')
  expect(runs()).toBe(52)
  time.now += 11 * MINUTE
  await run('later')
  expect(await run('more 49', { age: 11 * MINUTE })).toBe('unknown')
})

test('outcomes are kept up to 16 Mi characters, the latest longest', async () => {
  const { run, runs } = startCalls()
  const half = 8 * 1_024 * 1_024
  await run('one', { size: half })
  await run('two', { size: half })
  expect(await run('one')).toEqual({ outcome: 1 })
  await run('three', { size: 1 })
  expect(await run('two')).toEqual({ outcome: 2 })
  expect(runs()).toBe(3)
  expect(await run('one')).toEqual({ outcome: 4 })
  expect(await run('one', { age: MINUTE, who: 'ada' })).toEqual({ outcome: 4 })
})
