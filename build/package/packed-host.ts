import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import type { HostRequest } from '../../src/shared/console/host.ts'

const PATIENCE = 20_000

const Ready = z.object({ type: z.literal('ready'), address: z.url() })
const Result = z.object({ type: z.literal('result'), result: z.object({ ok: z.literal(true) }) })
const Stopped = z.object({ type: z.literal('stopped') })

/** The server process of a package under Node. What it answers otherwise than hoped is thrown. */
export interface PackedHost {
  start(): Promise<{ readonly address: string }>
  /** Runs a mutation of the console. */
  call(path: string, input: unknown): Promise<void>
  /** Stops it; answers its exit code and what it logged as a warning or worse. */
  stop(): Promise<{ readonly exitCode: number | null; readonly complaints: string }>
  kill(): void
}

export function forkPackedHost(app: string, dataFolder: string): PackedHost {
  const parentPort = pathToFileURL(join(import.meta.dirname, 'parent-port.ts')).href
  const child = fork(join(app, 'out/main/host.js'), [], {
    cwd: dataFolder,
    execArgv: ['--import', parentPort],
    // Nothing of the project may help it along: no NODE_PATH, no options.
    env: { PATH: process.env.PATH, HOME: dataFolder, TIDEGATE_LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  })
  const complaints = child.stderr === null ? Promise.resolve('') : text(child.stderr)

  async function ask<Answer>(request: HostRequest, answer: z.ZodType<Answer>): Promise<Answer> {
    const over = new AbortController()
    const signal = AbortSignal.any([over.signal, AbortSignal.timeout(PATIENCE)])
    const ended = once(child, 'exit', { signal }).then(async ([code]) => {
      throw new Error(`the packed server ended with ${code}:\n${await complaints}`)
    })
    const message = once(child, 'message', { signal })
    child.send(request)
    try {
      const [data] = await Promise.race([message, ended])
      const parsed = answer.safeParse(data)
      if (!parsed.success) throw new Error(`the packed server answered ${JSON.stringify(data)}`)
      return parsed.data
    } finally {
      ended.catch(() => {})
      over.abort()
    }
  }

  return {
    start: () => ask({ type: 'start', config: { dataFolder, host: '127.0.0.1', port: 0 } }, Ready),
    async call(path, input) {
      await ask({ type: 'call', id: 1, request: { type: 'mutation', path, input } }, Result)
    },
    async stop() {
      const exit = once(child, 'exit', { signal: AbortSignal.timeout(PATIENCE) })
      await ask({ type: 'stop' }, Stopped)
      await exit
      return { exitCode: child.exitCode, complaints: await complaints }
    },
    kill: () => child.kill('SIGKILL'),
  }
}
