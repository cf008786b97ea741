import { fork } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { callServer } from '../../src/main/settings/backup-service.ts'
import type { ServerProcessRequest } from '../../src/shared/console/desktop/server-process.ts'
import { ChildChannel } from '../../test/electron-double/child-channel.ts'
import { MessageChannelMain } from '../../test/electron-double/message-port.ts'

const PATIENCE = 20_000

const Ready = z.object({ type: z.literal('ready'), address: z.url() })
const Stopped = z.object({ type: z.literal('stopped') })

/** The server process of a package under Node. What it answers otherwise than hoped is thrown. */
export interface PackedServerProcess {
  start(): Promise<{ readonly address: string }>
  /** Runs a mutation of the console. */
  call(path: string, input: unknown): Promise<void>
  /** Stops it; answers its exit code and what it logged as a warning or worse. */
  stop(): Promise<{ readonly exitCode: number | null; readonly complaints: string }>
  kill(): void
}

export function forkPackedServerProcess(app: string, dataFolder: string): PackedServerProcess {
  const parentPort = new URL('../../test/electron-double/parent-port.ts', import.meta.url).href
  const child = fork(join(app, 'out/main/server-process.js'), [], {
    cwd: dataFolder,
    execArgv: ['--import', parentPort],
    // Nothing of the project may help it along: no NODE_PATH, no options.
    env: { PATH: process.env.PATH, HOME: dataFolder, TIDEGATE_LOG_LEVEL: 'warn' },
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  })
  const messages = new EventEmitter()
  const channel = new ChildChannel(child, (message) => messages.emit('message', message))
  const complaints = child.stderr === null ? Promise.resolve('') : text(child.stderr)

  async function ask<Answer>(
    request: ServerProcessRequest,
    answer: z.ZodType<Answer>,
  ): Promise<Answer> {
    const over = new AbortController()
    const signal = AbortSignal.any([over.signal, AbortSignal.timeout(PATIENCE)])
    const ended = once(child, 'exit', { signal }).then(async ([code]) => {
      throw new Error(`the packed server ended with ${code}:\n${await complaints}`)
    })
    const message = once(messages, 'message', { signal })
    channel.post(request, [])
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
      const { port1, port2 } = new MessageChannelMain()
      channel.post({ type: 'connect' }, [port2])
      const impatience = setTimeout(() => port1.close(), PATIENCE)
      const result = await callServer(port1, { type: 'mutation', path, input })
      clearTimeout(impatience)
      if (!result.ok) throw new Error(`the packed server answered ${JSON.stringify(result)}`)
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
