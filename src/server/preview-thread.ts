import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { PreviewEvent } from '../shared/console/releases.ts'
import { Turns } from './turns.ts'
import { type CountPreview, PreviewsBusy } from './updates/preview-serving.ts'
import type { PreviewPlan } from './updates/preview-tally.ts'
import { workerUrl } from './worker-url.ts'

/** Milliseconds that a preview may take. A million devices take some seconds. */
const MAX_TIME = 120_000
/** Maximum number of previews that wait for their turn. A screen asks for one at a time. */
const MAX_WAITING = 32

/**
 * Returns the counting of previews. One runs at a time: a second one would
 * only take the processor from the first, and a slider that moves asks for the next before the last has
 * ended.
 */
export function createPreviewThread(): CountPreview {
  const busy = () => new PreviewsBusy('too many previews wait to be counted')
  const turns = new Turns({ waiting: MAX_WAITING, busy })

  return async function* count(plan, signal) {
    const endTurn = await turns.take(undefined, signal).catch(unlessAborted(signal))
    if (endTurn === undefined) return
    try {
      const timeout = AbortSignal.timeout(MAX_TIME)
      const ended = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
      if (ended.aborted) return
      yield* run(plan(), ended)
      if (timeout.aborted) throw new Error('the preview took too long')
    } finally {
      endTurn()
    }
  }
}

function unlessAborted(signal: AbortSignal | undefined) {
  return (error: unknown) => {
    if (signal?.aborted !== true) throw error
  }
}

async function* run(plan: PreviewPlan, signal: AbortSignal): AsyncGenerator<PreviewEvent, void> {
  const worker = new Worker(workerUrl('preview-worker', import.meta.url), {
    workerData: plan,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
  try {
    // An 'error' of the thread is thrown here.
    for await (const [event] of on(worker, 'message', { signal, close: ['exit'] })) {
      yield event
      if (event.type === 'result') return
    }
    throw new Error('the preview ended without a result')
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    await worker.terminate()
  }
}
