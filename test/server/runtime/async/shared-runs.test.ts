import { expect, test } from 'vitest'
import { sharedRuns } from '../../../../src/server/runtime/async/shared-runs.ts'

/** Runs that end when they are told to, each with its number or with an error. */
function held() {
  const runs: PromiseWithResolvers<number>[] = []
  const ask = sharedRuns(() => {
    const run = Promise.withResolvers<number>()
    runs.push(run)
    return run.promise
  })
  return { ask, runs }
}

test('who asks during a run shares the next one, which begins when it has ended', async () => {
  const { ask, runs } = held()
  const first = ask()
  const [second, third] = [ask(), ask()]
  expect(runs).toHaveLength(1)
  runs[0]?.resolve(1)
  expect(await first).toBe(1)
  await expect.poll(() => runs.length).toBe(2)
  runs[1]?.resolve(2)
  expect(await Promise.all([second, third])).toEqual([2, 2])
  const last = ask()
  expect(runs).toHaveLength(3)
  runs[2]?.resolve(3)
  expect(await last).toBe(3)
})

test('a run that fails fails for those who asked for it, not for the next', async () => {
  const { ask, runs } = held()
  const first = ask()
  const second = ask()
  runs[0]?.reject(new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  await expect.poll(() => runs.length).toBe(2)
  runs[1]?.resolve(2)
  expect(await second).toBe(2)
})
