import { expect, test } from 'vitest'
import { Refresher } from '../../../src/renderer/bridge/server-state.tsx'

test('what is asked for during a refresh is one more refresh after it', async () => {
  const ends: (() => void)[] = []
  const started: PromiseWithResolvers<void>[] = [Promise.withResolvers(), Promise.withResolvers()]
  const refresher = new Refresher(() => {
    const { promise, resolve } = Promise.withResolvers<void>()
    ends.push(resolve)
    started[ends.length - 1]?.resolve()
    return promise
  }, 0)

  refresher.request()
  await started[0]?.promise
  refresher.request()
  refresher.request()
  expect(ends).toHaveLength(1)

  ends[0]?.()
  await started[1]?.promise
  expect(ends).toHaveLength(2)
  ends[1]?.()
})
