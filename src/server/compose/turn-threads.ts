import type { Preview, PreviewEvent } from '../../shared/console/releases/preview.ts'
import type { PreflightProgress } from '../../shared/releases/preflight.ts'
import type { Judgement } from '../preflight/judge.ts'
import type { Arms } from '../rules/judging/control.ts'
import { Slots } from '../runtime/limits/slots.ts'
import type { TaskEvent } from '../runtime/threads/serve-tasks.ts'
import { TaskThreads } from '../runtime/threads/task-threads.ts'
import { workerUrl } from '../runtime/threads/worker-url.ts'
import type { ArmsPlan } from '../use-cases/plans/arms-tally.ts'
import type { JudgePreflight, PreflightPlan } from '../use-cases/releases/preflight.ts'
import { type CountPreview, PreviewsBusy } from '../use-cases/releases/preview-serving.ts'
import type { PreviewPlan } from '../use-cases/releases/preview-tally.ts'

/** Milliseconds that a task may take. A million devices take some seconds. */
const MAX_TIME = 120_000
/** Most tasks of one person or key that wait for their turn. A screen asks for one at a time. */
const MAX_WAITING = 32

/** A thread that reads a fleet, for one task at a time. */
export interface TurnThread<Task, Result, Progress> {
  /** Does a task in turn among those who ask, until `signal`. Throws `PreviewsBusy` if too many of `asker` wait. */
  run(
    asker: string,
    task: () => Task | Promise<Task>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<TaskEvent<Result, Progress>, void>
  /** Ends the task in progress without a result. */
  stop(): void
}

/**
 * Returns the thread of a script. One task runs at a time, in turn among those who ask: a second one would
 * only take the processor from the first, and a slider that moves asks for the next before the last has
 * ended.
 */
function createTurnThread<Task, Result, Progress>(script: URL): TurnThread<Task, Result, Progress> {
  const threads = new TaskThreads<Task, Result, Progress>(script, {
    limits: { maxOldGenerationSizeMb: 512 },
  })
  const slots = new Slots<string>({ total: 1, each: 1 })
  const stopping = new AbortController()

  return {
    async *run(asker, task, signal) {
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
        yield* threads.events(await task(), ended)
      } catch (error) {
        if (timeout.aborted) throw new Error('counting devices took too long', { cause: error })
        if (!wanted.aborted) throw error
      } finally {
        endTurn()
      }
    },
    stop: () => stopping.abort(),
  }
}

/** Returns a handler of failures that ignores those of what was given up. */
function unlessAborted(signal: AbortSignal) {
  return (error: unknown) => {
    if (!signal.aborted) throw error
  }
}

export type PreviewProgress = Omit<Extract<PreviewEvent, { type: 'progress' }>, 'type'>

interface PreviewThread {
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

/** Milliseconds that it may take: a million devices take some seconds. */
const MAX_COUNT_TIME = 120_000

const threads = new TaskThreads<ArmsPlan, Arms>(workerUrl('control-worker', import.meta.url), {
  limits: { maxOldGenerationSizeMb: 512 },
})

/** Counts the devices of a release on a thread of its own. Rejects with what the thread died of, and after two minutes. */
export async function countArms(plan: ArmsPlan): Promise<Arms> {
  return await threads.run(plan, AbortSignal.timeout(MAX_COUNT_TIME))
}
