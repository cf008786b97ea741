import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import type { DataPlace } from '../../support/servers/rows.ts'

const Ready = z.object({
  type: z.literal('ready'),
  port: z.int(),
  apps: z.array(z.object({ id: z.string(), ref: z.string() })),
  keys: z.object({
    all: z.string(),
    read: z.string(),
    fleet: z.string(),
    ofOneApp: z.string(),
    revoked: z.string(),
  }),
})
const Memory = z.object({ type: z.literal('memory'), rss: z.number(), heapUsed: z.number() })

/** Maximum log lines kept for the report. */
const KEPT_LINES = 50

/** Bytes that the server's process uses. */
export interface MemoryUse {
  readonly rss: number
  readonly heapUsed: number
}

/** A server in its own process, with apps, channels and keys to fuzz. */
export class FuzzedServer {
  readonly facts: z.infer<typeof Ready>
  /** The last errors that it logged or that ended it, line by line. */
  readonly errors: readonly string[]
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, facts: z.infer<typeof Ready>, errors: string[]) {
    this.#child = child
    this.facts = facts
    this.errors = errors
  }

  /** Starts it. Rejects with its log if it ends before it listens. */
  static async start({ folder, database }: DataPlace): Promise<FuzzedServer> {
    const child = fork(join(import.meta.dirname, 'process.ts'), [folder, database ?? ''], {
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    const errors: string[] = []
    for (const input of [child.stdout, child.stderr]) {
      if (input === null) continue
      createInterface({ input }).on('line', (line) => {
        errors.push(line)
        if (errors.length > KEPT_LINES) errors.shift()
      })
    }
    const [message] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => {
        throw new Error(`The server ended with code ${code}: ${errors.join('\n')}`)
      }),
    ])
    return new FuzzedServer(child, Ready.parse(message), errors)
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Returns the memory that it uses after a garbage collection. */
  async memory(): Promise<MemoryUse> {
    const answer = once(this.#child, 'message')
    this.#child.send('memory')
    return Memory.parse((await answer)[0])
  }

  /** Stops it gracefully. Rejects if its process fails. */
  async stop(): Promise<void> {
    if (!this.isAlive) throw new Error(`The server had ended: ${this.errors.join('\n')}`)
    const ended = once(this.#child, 'exit')
    this.#child.send('stop')
    const [code] = await ended
    if (code !== 0) throw new Error(`The server ended with code ${code}: ${this.errors.join('\n')}`)
  }

  /** Kills it, for use after another failure. */
  kill(): void {
    this.#child.kill('SIGKILL')
  }
}
