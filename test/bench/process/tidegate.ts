import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { Listener } from './listener.ts'
import type { Workspace } from './workspace.ts'

const CLI_BOUND_MS = 120_000

/** Tidegate as its users run it: commands that set up a data folder and serve it. */
export class Tidegate {
  readonly #workspace: Workspace
  /** What Node is started with, as `npm run tidegate` of the revision does. */
  readonly #program: readonly string[]

  constructor(workspace: Workspace, cli: string) {
    this.#workspace = workspace
    const launcher = resolve(cli, '../../../build/launch.mjs')
    this.#program = existsSync(launcher) ? [launcher, cli] : [cli]
  }

  /** Runs a command on a data folder. Returns stdout and the milliseconds that it took. */
  command(data: string, ...args: string[]): Promise<{ stdout: string; ms: number }> {
    return this.run([...args, '--data', data])
  }

  /** Runs a command. Returns stdout and the milliseconds that it took. */
  run(args: readonly string[]): Promise<{ stdout: string; ms: number }> {
    const began = performance.now()
    return new Promise((resolve, reject) => {
      const child = execFile(
        process.execPath,
        [...this.#program, ...args],
        { timeout: CLI_BOUND_MS, killSignal: 'SIGKILL', maxBuffer: 64 * 1024 * 1024 },
        (error, stdout) => {
          if (error === null) resolve({ stdout, ms: performance.now() - began })
          else reject(error)
        },
      )
      this.#workspace.track(child)
    })
  }

  /** Serves a data folder on a free port, without rate limits, on the given processors or on all. */
  serve(data: string, cpus?: string, options: readonly string[] = []): Promise<Listener> {
    const limits = ['--device-limit', '0', '--key-limit', '0']
    const own = ['serve', '--data', data, '--port', '0', ...limits, ...options]
    return Listener.start(this.#workspace, { args: [...this.#program, ...own], cpus })
  }
}
