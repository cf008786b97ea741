import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { basename } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { scriptFile } from '../workers/script-file.ts'

export interface Fixture {
  readonly child: ChildProcess
  /** The next line that it prints. Rejects when it ends first. */
  readonly line: () => Promise<string>
  /** Ends it without a chance to clean up, and waits for the end. */
  readonly kill: () => Promise<void>
  readonly exited: Promise<{ code: number | null; signal: string | null; stderr: string }>
}

/** Runs a file of `fixtures` as a process of its own. */
export function startFixture(name: string, ...args: string[]): Fixture {
  return startFixtureWith({}, name, ...args)
}

/** The same, with further variables. */
export function startFixtureWith(env: NodeJS.ProcessEnv, name: string, ...args: string[]): Fixture {
  const child = spawn(process.execPath, [scriptFile(basename(name, '.ts')), ...args], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const exited = once(child, 'close').then(([code, signal]) => ({ code, signal, stderr }))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  onTestFinished(kill)
  const line = async () => {
    const { value, done } = await lines.next()
    if (done === true) throw new Error(`${name} ended: ${(await exited).stderr}`)
    return String(value)
  }
  return { child, line, kill, exited }
}
