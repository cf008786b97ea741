import { expect, onTestFinished, test } from 'vitest'
import { createPreviewThread } from '../../../src/server/compose/turn-threads.ts'
import { NO_PARTS } from '../../../src/server/use-cases/releases/partial-downloads.ts'
import { PreviewsBusy } from '../../../src/server/use-cases/releases/preview-serving.ts'
import type { PreviewPlan } from '../../../src/server/use-cases/releases/preview-tally.ts'
import { DEFAULT_POLICY } from '../../../src/shared/releases/channel.ts'
import { releaseOf } from '../../support/builders/decision-facts.ts'

/** Previews of one that may wait for their turn. */
const MAX_WAITING = 32

test('previews wait up to a bound, and one that is aborted waits no longer', async () => {
  const { count, stop } = createPreviewThread()
  onTestFinished(stop)
  const planned: string[] = []
  const preview = (name: string, signal?: AbortSignal, asker = 'Ada') => {
    const plan = (): PreviewPlan => {
      planned.push(name)
      const changed = releaseOf('1.0.0')
      const scan = { devices: 0, ticket: { store: 'none' } }
      return { policy: DEFAULT_POLICY, releases: [], changed, parts: NO_PARTS, scan }
    }
    return count(asker, plan, signal).next()
  }
  const first = preview('first')
  const controller = new AbortController()
  const waiting = Array.from({ length: MAX_WAITING }, (_, at) =>
    preview(`waiting ${at}`, controller.signal),
  )
  await expect(preview('beyond')).rejects.toThrow(PreviewsBusy)
  const other = expect(preview('of another', undefined, 'Noah')).rejects.toThrow()
  controller.abort()
  for (const { done } of await Promise.all(waiting)) expect(done).toBe(true)
  const next = preview('next')
  // Of a store that there is none of.
  await expect(first).rejects.toThrow()
  await expect(next).rejects.toThrow()
  await other
  expect(planned).toEqual(['first', 'of another', 'next'])
})
