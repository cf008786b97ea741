import type { Preview, PreviewEvent } from '../../shared/console/releases/releases.ts'
import { workerUrl } from '../runtime/threads/worker-url.ts'
import type { CountPreview } from '../use-cases/releases/preview-serving.ts'
import type { PreviewPlan } from '../use-cases/releases/preview-tally.ts'
import { createTurnThread } from './turn-threads.ts'

export type PreviewProgress = Omit<Extract<PreviewEvent, { type: 'progress' }>, 'type'>

export interface PreviewThread {
  readonly count: CountPreview
  /** Ends the preview in progress without a result. */
  stop(): void
}

/** Returns the counting of previews. */
export function createPreviewThread(): PreviewThread {
  const script = workerUrl('preview-worker', import.meta.url)
  const thread = createTurnThread<PreviewPlan, Preview, PreviewProgress>(script)
  return {
    async *count(...asked) {
      for await (const event of thread.run(...asked)) {
        yield event.type === 'result'
          ? { type: 'result', preview: event.result }
          : { type: 'progress', ...event.progress }
      }
    },
    stop: thread.stop,
  }
}
