import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Workspace } from '../process/workspace.ts'

const PROGRAM = join(import.meta.dirname, 'telemetry-process.ts')

/** What a node's process works on. */
export interface NodeTask {
  readonly url: string
  /** Also its slot. */
  readonly node: number
  readonly devices: number
  /** Check-ins of a batch. */
  readonly size: number
}

/**
 * `bare`: the same rows with one plain statement. `rate`: check-ins per second of the node; as many as it can without. `size`:
 * check-ins of a batch, if not that of the task.
 */
export interface Work {
  readonly kind: 'store' | 'bare' | 'labels'
  readonly seconds: number
  readonly rate?: number
  readonly size?: number
}

export interface NodeResult {
  readonly rows: number
  readonly seconds: number
  /** Milliseconds of each batch, or of each read. */
  readonly times: readonly number[]
  /** CPU seconds of the process. */
  readonly cpu: number
}

/** The sum of what all nodes did at the same time. */
export interface Together {
  readonly perSecond: number
  readonly rows: number
  readonly times: readonly number[]
  readonly cpu: number
}

/** Processes that store telemetry in one database. */
export class TelemetryNodes {
  readonly #children: readonly ChildProcess[]

  private constructor(children: readonly ChildProcess[]) {
    this.#children = children
  }

  static async start(workspace: Workspace, tasks: readonly NodeTask[]): Promise<TelemetryNodes> {
    const children = tasks.map((task) => workspace.track(fork(PROGRAM, [JSON.stringify(task)])))
    await Promise.all(children.map((child) => messageOf(child)))
    return new TelemetryNodes(children)
  }

  /** All do the same at the same time. Rejects if one of them ends. */
  async perform(work: Work): Promise<Together> {
    const results = await Promise.all(
      this.#children.map(async (child) => {
        const answer = messageOf(child)
        child.send(work)
        return (await answer) as NodeResult
      }),
    )
    const sum = (figure: (result: NodeResult) => number) =>
      results.reduce((total, result) => total + figure(result), 0)
    return {
      perSecond: sum(({ rows, seconds }) => rows / seconds),
      rows: sum(({ rows }) => rows),
      times: results.flatMap(({ times }) => times).sort((one, other) => one - other),
      cpu: sum(({ cpu }) => cpu),
    }
  }

  end(): void {
    for (const child of this.#children) child.disconnect()
  }
}

async function messageOf(child: ChildProcess): Promise<unknown> {
  const gone = new AbortController()
  const ended = once(child, 'exit', { signal: gone.signal }).then(([code]) => {
    throw new Error(`a node ended with ${code}`)
  })
  try {
    const [message] = await Promise.race([once(child, 'message', { signal: gone.signal }), ended])
    return message
  } finally {
    ended.catch(() => {})
    gone.abort()
  }
}
