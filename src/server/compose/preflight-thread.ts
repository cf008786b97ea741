import type { PreflightProgress } from '../../shared/releases/preflight.ts'
import type { Judgement } from '../preflight/judge.ts'
import { Slots } from '../runtime/limits/slots.ts'
import { workerUrl } from '../runtime/threads/worker-url.ts'
import type { JudgePreflight, PreflightPlan } from '../use-cases/releases/preflight.ts'
import { PreviewsBusy } from '../use-cases/releases/preview-serving.ts'
import { createTurnThread, MAX_WAITING, unlessAborted } from './turn-threads.ts'

/** Apps of which files are read at the same time. */
const READERS = 4

/** Returns what judges a release for every device of its channel, and what ends that. */
export function createPreflightThread(): { readonly judge: JudgePreflight; stop(): void } {
  const script = workerUrl('preflight-worker', import.meta.url)
  const thread = createTurnThread<PreflightPlan, Judgement, PreflightProgress>(script)
  const readers = new Slots<number>({ total: READERS, each: 1 })
  const stopping = new AbortController()

  return {
    async *judge(asker, app, plan, signal) {
      if (readers.waitingOf(app) >= MAX_WAITING) throw new PreviewsBusy('too many preflights wait')
      const wanted = AbortSignal.any([stopping.signal, ...(signal === undefined ? [] : [signal])])
      const read = await readers.run(app, wanted, plan).catch(unlessAborted(wanted))
      if (read !== undefined) yield* thread.run(asker, () => read, signal)
    },
    stop() {
      stopping.abort()
      thread.stop()
    },
  }
}
