import type { ChildProcess } from 'node:child_process'
import { fork } from 'node:child_process'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import { app } from './app.ts'
import { ChildChannel } from './child-channel.ts'
import type { MessagePortMain } from './message-port.ts'
import { utilities } from './processes.ts'
import { StandIn, standIn } from './stand-in.ts'

interface ForkOptions {
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
  readonly execArgv?: readonly string[]
  readonly stdio?: 'pipe' | 'ignore' | 'inherit'
  readonly serviceName?: string
}

/** A Node process with a `parentPort`, and Electron's events about it. */
export class UtilityProcess extends StandIn {
  /** Undefined before it runs and after it has exited, as in Electron. */
  pid: number | undefined
  readonly stdout: Readable | null
  readonly stderr: Readable | null
  private readonly child: ChildProcess
  private readonly channel: ChildChannel

  constructor(child: ChildProcess, name: string) {
    super()
    this.child = child
    this.stdout = child.stdout
    this.stderr = child.stderr
    child.on('spawn', () => {
      this.pid = child.pid
      if (child.pid !== undefined) utilities.set(child.pid, name)
      this.emit('spawn')
    })
    this.channel = new ChildChannel(child, (message) => this.emit('message', message))
    child.on('error', (error) => process.stderr.write(`electron-double: ${error.message}\n`))
    child.on('exit', (code, signal) => {
      if (this.pid !== undefined) utilities.delete(this.pid)
      this.pid = undefined
      process.off('exit', this.end)
      this.emit('exit', signal === null ? (code ?? 0) : constants.signals[signal])
    })
    process.on('exit', this.end)
  }

  postMessage(message: unknown, transfer: readonly MessagePortMain[] = []): void {
    this.channel.post(message, transfer)
  }

  kill(): boolean {
    return this.child.kill()
  }

  private readonly end = () => {
    this.child.kill('SIGKILL')
  }
}

const parentPort = new URL('./parent-port.ts', import.meta.url).href

export const utilityProcess = standIn('utilityProcess', {
  fork(module: string, args: readonly string[] = [], options: ForkOptions = {}): UtilityProcess {
    if (!app.isReady()) {
      throw new Error('utilityProcess.fork can only be called after app is ready')
    }
    const stdio = options.stdio ?? 'inherit'
    return new UtilityProcess(
      fork(module, args, {
        ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
        env: options.env ?? process.env,
        execArgv: [
          '--unhandled-rejections=warn-with-error-code',
          '--import',
          parentPort,
          ...(options.execArgv ?? []),
        ],
        serialization: 'advanced',
        stdio: ['ignore', stdio, stdio, 'ipc'],
      }),
      options.serviceName ?? 'Node Utility Process',
    )
  },
})
