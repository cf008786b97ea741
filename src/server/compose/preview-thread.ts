import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { PreviewEvent } from '../../shared/console/releases.ts'
import { Slots } from '../limits/slots.ts'
import { type CountPreview, PreviewsBusy } from '../use-cases/releases/preview-serving.ts'
import type { PreviewPlan } from '../use-cases/releases/preview-tally.ts'
import { workerUrl } from '../worker-url.ts'

/** Milliseconds that a preview may take. A million devices take some seconds. */
const MAX_TIME = 120_000
/** Most previews of one person or key that wait for their turn. A screen asks for one at a time. */
const MAX_WAITING = 32
const NEVER = new AbortController().signal

/** Milliseconds that the thread is kept for the next preview: a slider that moves asks for it soon. */
const LINGER = 10_000

export interface PreviewThread {
  readonly count: CountPreview
  /** Ends the thread, and the preview in progress without a result. */
  stop(): Promise<void>
}

/**
 * Returns the counting of previews. One runs at a time, in turn among those who ask: a second one would
 * only take the processor from the first, and a slider that moves asks for the next before the last has
 * ended.
 */
export function createPreviewThread(): PreviewThread {
  const slots = new Slots<string>({ total: 1, each: 1 })
  const thread = new KeptThread()

  return {
    async *count(asker, plan, signal) {
      if (slots.waitingOf(asker) >= MAX_WAITING) {
        throw new PreviewsBusy('too many previews wait to be counted')
      }
      const endTurn = await slots.take(asker, signal ?? NEVER).catch(unlessAborted(signal))
      if (endTurn === undefined) return
      try {
        const timeout = AbortSignal.timeout(MAX_TIME)
        const ended = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
        if (ended.aborted) return
        yield* run(thread, await plan(), ended)
        if (timeout.aborted) throw new Error('the preview took too long')
      } finally {
        endTurn()
      }
    },
    stop: () => thread.end(),
  }
}

/** The thread, from the first preview on, until none was counted for a while. */
class KeptThread {
  #worker: Worker | undefined
  #ending: NodeJS.Timeout | undefined

  take(): Worker {
    clearTimeout(this.#ending)
    this.#worker ??= this.#start()
    this.#worker.ref()
    return this.#worker
  }

  /** For a thread that has nothing to do. It does not keep the process running. */
  rest(): void {
    this.#worker?.unref()
    this.#ending = setTimeout(() => void this.end(), LINGER).unref()
  }

  async end(): Promise<void> {
    clearTimeout(this.#ending)
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(workerUrl('preview-worker', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    })
    // Whoever waits for a preview hears of it, too.
    worker.on('error', () => {})
    worker.once('exit', () => {
      if (this.#worker === worker) this.#worker = undefined
    })
    return worker
  }
}

function unlessAborted(signal: AbortSignal | undefined) {
  return (error: unknown) => {
    if (signal?.aborted !== true) throw error
  }
}

async function* run(
  thread: KeptThread,
  plan: PreviewPlan,
  signal: AbortSignal,
): AsyncGenerator<PreviewEvent, void> {
  const worker = thread.take()
  let isCounted = false
  try {
    const events = on(worker, 'message', { signal, close: ['exit'] })
    worker.postMessage(plan)
    // An 'error' of the thread is thrown here.
    for await (const [event] of events) {
      isCounted = event.type === 'result'
      yield event
      if (isCounted) return
    }
    throw new Error('the preview ended without a result')
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    if (isCounted) thread.rest()
    else await thread.end()
  }
}
