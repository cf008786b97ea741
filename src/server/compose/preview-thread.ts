import type { Preview, PreviewEvent } from '../../shared/console/releases/releases.ts'
import { Slots } from '../runtime/limits/slots.ts'
import { TaskThreads } from '../runtime/threads/task-threads.ts'
import { workerUrl } from '../runtime/threads/worker-url.ts'
import { type CountPreview, PreviewsBusy } from '../use-cases/releases/preview-serving.ts'
import type { PreviewPlan } from '../use-cases/releases/preview-tally.ts'

/** Milliseconds that a preview may take. A million devices take some seconds. */
const MAX_TIME = 120_000
/** Most previews of one person or key that wait for their turn. A screen asks for one at a time. */
const MAX_WAITING = 32

export type PreviewProgress = Omit<Extract<PreviewEvent, { type: 'progress' }>, 'type'>

const threads = new TaskThreads<PreviewPlan, Preview, PreviewProgress>(
  workerUrl('preview-worker', import.meta.url),
  { limits: { maxOldGenerationSizeMb: 512 } },
)

export interface PreviewThread {
  readonly count: CountPreview
  /** Ends the preview in progress without a result. */
  stop(): void
}

/**
 * Returns the counting of previews. One runs at a time, in turn among those who ask: a second one would
 * only take the processor from the first, and a slider that moves asks for the next before the last has
 * ended.
 */
export function createPreviewThread(): PreviewThread {
  const slots = new Slots<string>({ total: 1, each: 1 })
  const stopping = new AbortController()

  return {
    async *count(asker, plan, signal) {
      if (slots.waitingOf(asker) >= MAX_WAITING) {
        throw new PreviewsBusy('too many previews wait to be counted')
      }
      const wanted = AbortSignal.any([stopping.signal, ...(signal === undefined ? [] : [signal])])
      const endTurn = await slots.take(asker, wanted).catch(unlessAborted(wanted))
      if (endTurn === undefined) return
      const timeout = AbortSignal.timeout(MAX_TIME)
      const ended = AbortSignal.any([wanted, timeout])
      try {
        if (wanted.aborted) return
        for await (const event of threads.events(await plan(), ended)) {
          yield event.type === 'result'
            ? { type: 'result', preview: event.result }
            : { type: 'progress', ...event.progress }
        }
      } catch (error) {
        if (timeout.aborted) throw new Error('the preview took too long', { cause: error })
        if (!wanted.aborted) throw error
      } finally {
        endTurn()
      }
    },
    stop: () => stopping.abort(),
  }
}

function unlessAborted(signal: AbortSignal) {
  return (error: unknown) => {
    if (!signal.aborted) throw error
  }
}
