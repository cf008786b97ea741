import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { eventualValue } from '../../support/eventually.ts'
import { environment } from './release-console.ts'

const root = resolve(import.meta.dirname, '../../..')

/** What `npm run serve` needs of the repository, beside its packages. */
const NEEDED = ['package.json', 'package-lock.json', 'build', 'src', 'docs', 'tsconfig.json']

/** Copies the sources into a folder, as a fresh clone with its packages installed: nothing is built there. */
export function freshClone(folder: string): string {
  const clone = join(folder, 'sources')
  mkdirSync(clone)
  for (const name of NEEDED) cpSync(join(root, name), join(clone, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  return clone
}

export interface Terminal {
  /** All that stands on the terminal. */
  readonly shown: () => string
  /** Waits until a pattern is shown, and returns its first group. Throws when the command ends first. */
  waitFor(pattern: RegExp): Promise<string>
  /** Presses Ctrl-C, and waits for the end. */
  interrupt(): Promise<void>
}

/** Runs a command on a terminal of its own, in a folder, as a person whose home is `home`. */
export function openTerminal(command: string, cwd: string, home: string): Terminal {
  const variables = environment({ HOME: home, XDG_DATA_HOME: home, TERM: 'dumb' })
  // The console is off for the servers of other specs.
  const { TIDEGATE_CONSOLE: _, TIDEGATE_STOP_WITH_PARENT: __, ...env } = variables
  const terminal = spawn('script', ['-qefc', command, '/dev/null'], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let output = ''
  terminal.stdout.setEncoding('utf8').on('data', (part) => {
    output += part
  })
  return {
    shown: () => output,
    waitFor: (pattern) =>
      eventualValue(() => {
        if (terminal.exitCode !== null) throw new Error(`the command ended: ${output}`)
        return pattern.exec(output)?.[1]
      }),
    async interrupt() {
      if (terminal.exitCode !== null) return
      const ended = once(terminal, 'exit')
      terminal.stdin.write('\x03')
      await ended
    },
  }
}
