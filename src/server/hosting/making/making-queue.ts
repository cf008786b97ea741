import { Slots } from '../../runtime/limits/slots.ts'
import { TaskThreads } from '../../runtime/threads/task-threads.ts'
import { workerUrl } from '../../runtime/threads/worker-url.ts'
import type { ComparisonTask } from '../block-maps/compare.ts'
import type { MakingAnswer, MakingTask } from './make.ts'

const threads = new TaskThreads<MakingTask, MakingAnswer>(
  workerUrl('making-worker', import.meta.url),
  { limits: { maxOldGenerationSizeMb: 128 } },
)

/** `make` on a thread, because it takes a processor for seconds. Throws the reason of `signal`, and what the thread died of. */
export function makeOnThread(task: MakingTask, signal: AbortSignal): Promise<MakingAnswer> {
  return threads.run(task, signal)
}

/** What is made at the same time, and of that for one app. */
const AT_ONCE = { total: 1, each: 1 }
/** Milliseconds that making one may take. */
const MAKE_WITHIN = 10 * 60_000
/** The same of a comparison. */
const COMPARE_WITHIN = 10_000

/** Makes block maps and patches of stored files, one at a time; the apps take turns. */
export class MakingQueue {
  readonly #make: typeof makeOnThread
  readonly #slots = new Slots<number>(AT_ONCE)
  readonly #stopped = new AbortController()

  constructor(make = makeOnThread) {
    this.#make = make
  }

  /** Aborted once nothing is made any more. */
  get stopped(): AbortSignal {
    return this.#stopped.signal
  }

  /** What waits for its turn in an app. */
  waitingOf(app: number): number {
    return this.#slots.waitingOf(app)
  }

  /** Does the task of `prepare` in an app's turn. Returns refused block maps. Throws why not, after `missing`, and `stopped`. */
  async run(app: number, missing: string, prepare: () => Promise<MakingTask>) {
    return await this.#slots.run(app, this.stopped, async () => {
      const signal = AbortSignal.any([AbortSignal.timeout(MAKE_WITHIN), this.stopped])
      const { failure, refused } = await this.#make(await prepare(), signal)
      if (failure !== null) throw new Error(`${missing}: ${failure}`)
      return refused
    })
  }

  /** Does a task at once, of which one takes milliseconds. Throws why that is impossible, and the reason of `stopped`. */
  async compare(task: ComparisonTask): Promise<number> {
    const signal = AbortSignal.any([AbortSignal.timeout(COMPARE_WITHIN), this.stopped])
    const { failure, changed } = await this.#make(task, signal)
    if (changed === undefined) throw new Error(failure ?? 'no comparison')
    return changed
  }

  /** Ends what is being made. */
  stop(): void {
    this.#stopped.abort()
  }
}
