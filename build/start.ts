import { constants } from 'node:os'
import { join } from 'node:path'
import { whenParentEnds } from '../src/server/cli/command/signals.ts'
import { buildConsole, planHere, spawnConsole } from './console.ts'
import { text } from './demo/strings.ts'

// `npm start`: opens the console, or only runs the server if the console cannot be shown. Both get the
// arguments after `--`.

const args = process.argv.slice(2)
const plan = planHere()

if (plan.kind === 'console') {
  buildConsole()
  openConsole(plan.binary)
} else {
  process.stderr.write(`${text.headless(plan.reason)}\n`)
  await runServer()
}

function openConsole(binary: string): void {
  const child = spawnConsole(binary, args)
  whenParentEnds(() => child.kill('SIGTERM'))
  child.on('error', (error) => {
    process.stderr.write(`${text.noConsole(error.message)}\n`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal]))
  })
}

/** Runs in this process, so that signals and the exit code need no forwarding. */
async function runServer(): Promise<void> {
  process.argv = [
    process.execPath,
    join(import.meta.dirname, '../src/server/cli.ts'),
    'serve',
    ...args,
  ]
  await import('../src/server/cli.ts')
}
