import type { CommandLine, RunningCommand } from './command-line.ts'

/** The server of a command line: its data folder has the settings. */
export class Server {
  readonly #commandLine: CommandLine
  #command: RunningCommand | undefined
  #address = ''

  constructor(commandLine: CommandLine) {
    this.#commandLine = commandLine
  }

  /** Where devices reach it, once it was started. */
  get address(): string {
    return this.#address
  }

  async start(): Promise<void> {
    this.#command = this.#commandLine.start('serve')
    this.#address = await this.#command.shows(/listening on (\S+)/)
  }

  /** Stops it as a service manager does. Throws unless it stops in order. */
  async stop(): Promise<void> {
    this.#command?.kill('SIGTERM')
    await this.#command?.ends(0)
  }

  /** Ends it, whatever it does. */
  kill(): void {
    this.#command?.kill('SIGKILL')
  }
}
