import { parentPort } from 'node:worker_threads'

/** Milliseconds between two reports of progress. */
const PROGRESS = 250
/** What a thread is sent to stop its task. */
export const STOP = 'stop'

export interface ServedTask<Task> {
  readonly task: Task
}

export type TaskEvent<Result, Progress> =
  | { readonly type: 'progress'; readonly progress: Progress }
  | { readonly type: 'result'; readonly result: Result }

/** Does the tasks of `TaskThreads`, one by one, until `signal`. Reports the last progress every 250 ms. An error ends the thread. */
export function serveTasks<Task, Result, Progress = never>(
  work: (
    task: Task,
    signal: AbortSignal,
    onProgress: (progress: Progress) => void,
  ) => Result | Promise<Result>,
): void {
  const port = parentPort
  if (port === null) throw new Error('this script runs as a worker thread only')
  const post = (event: TaskEvent<Result, Progress>) => port.postMessage(event)
  let stopped = new AbortController()

  port.on('message', async (message: ServedTask<Task> | typeof STOP) => {
    if (message === STOP) return stopped.abort(new Error('the task was stopped'))
    stopped = new AbortController()
    let unreported: Progress | undefined
    const timer = setInterval(() => {
      if (unreported !== undefined) post({ type: 'progress', progress: unreported })
      unreported = undefined
    }, PROGRESS)
    const result = await work(message.task, stopped.signal, (progress) => {
      unreported = progress
    })
    clearInterval(timer)
    post({ type: 'result', result })
  })
}
