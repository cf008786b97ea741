import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

/** Milliseconds that a command may take, on a busy machine too. */
const DEADLINE = 60_000

/** What a command has written, to stdout and stderr. */
export interface Output {
  readonly stdout: string
  readonly stderr: string
}

/** The command line of an installed package, as one person or pipeline uses it: in its folder, with nothing else set. */
export class CommandLine {
  readonly #name: string
  readonly #folder: string
  readonly #environment: Readonly<Record<string, string>>

  constructor(name: string, folder: string, environment: Readonly<Record<string, string>>) {
    this.#name = name
    this.#folder = folder
    this.#environment = environment
  }

  get folder(): string {
    return this.#folder
  }

  /** Returns the same command line with other environment variables; an empty one is not set. */
  with(changed: Readonly<Record<string, string>>): CommandLine {
    const merged = Object.entries({ ...this.#environment, ...changed })
    const environment = Object.fromEntries(merged.filter(([, value]) => value !== ''))
    return new CommandLine(this.#name, this.#folder, environment)
  }

  /** Runs a command, whose words are separated by spaces. Throws unless it succeeds and its output matches. */
  succeeds(command: string, ...patterns: readonly RegExp[]): Promise<Output> {
    return this.ends(0, command, ...patterns)
  }

  /** Runs a command. Throws unless it ends with the exit code and its output matches. */
  async ends(code: number, command: string, ...patterns: readonly RegExp[]): Promise<Output> {
    return await this.start(command).ends(code, ...patterns)
  }

  /** Starts a command that goes on while others run. */
  start(command: string): RunningCommand {
    const process = spawn('tidegate', command.split(' '), {
      cwd: this.#folder,
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    return new RunningCommand(`${this.#name}$ tidegate ${command}`, process)
  }
}

/** A command that was started. */
export class RunningCommand {
  readonly #prompt: string
  readonly #process: ChildProcess
  readonly #closed: Promise<unknown>
  #stdout = ''
  #stderr = ''

  constructor(prompt: string, process: ChildProcess) {
    this.#prompt = prompt
    this.#process = process
    this.#closed = once(process, 'close')
    // Whoever waits for the end sees why it could not start.
    this.#closed.catch(() => undefined)
    process.stdout?.setEncoding('utf8').on('data', (part) => {
      this.#stdout += part
    })
    process.stderr?.setEncoding('utf8').on('data', (part) => {
      this.#stderr += part
    })
  }

  /** Waits until the output matches, and returns the first group. Throws if the command ends first. */
  async shows(pattern: RegExp): Promise<string> {
    const deadline = performance.now() + DEADLINE
    while (true) {
      const match = pattern.exec(this.#stdout + this.#stderr)
      if (match !== null) return match[1] ?? match[0]
      const { exitCode, signalCode } = this.#process
      const hasEnded = exitCode !== null || signalCode !== null
      if (hasEnded || performance.now() > deadline) this.#fail(`did not show ${pattern}`)
      await delay(50)
    }
  }

  /** Waits for the end. Throws unless it has the exit code and the output matches. */
  async ends(code: number, ...patterns: readonly RegExp[]): Promise<Output> {
    const timer = setTimeout(() => this.kill('SIGKILL'), DEADLINE)
    await this.#closed
    clearTimeout(timer)
    const { exitCode, signalCode } = this.#process
    if (exitCode !== code) this.#fail(`ended with ${exitCode ?? signalCode} instead of ${code}`)
    const output = this.#stdout + this.#stderr
    for (const pattern of patterns) if (!pattern.test(output)) this.#fail(`did not show ${pattern}`)
    process.stdout.write(`${this.#prompt}  → ${code}\n`)
    return { stdout: this.#stdout, stderr: this.#stderr }
  }

  kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    this.#process.kill(signal)
  }

  #fail(what: string): never {
    throw new Error(`${what}\n${this.#prompt}\n${this.#stdout}${this.#stderr}`)
  }
}
