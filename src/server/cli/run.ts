import { inspect } from 'node:util'
import { type Command, CommanderError } from 'commander'
import { report, reportJson } from './command/output.ts'
import { createProgram } from './program.ts'
import { text } from './strings/common.ts'

/** What Kubernetes sets as `TIDEGATE_PORT` beside a service with the name `tidegate`: not the port to listen on. */
const SERVICE_LINK = /^(?:tcp|udp|sctp):\/\//

/** Runs the command line of this process, and sets its exit code. The process ends when its output is lost. */
export async function run(): Promise<void> {
  process.stdout.on('error', leaveWithReader)
  // The output is not read, and the exit code still reports the result.
  process.stderr.on('error', () => {})
  await runCommand()
}

/** Runs the command in `process.argv`, and sets `process.exitCode`. A process can do so more than once. */
export async function runCommand(): Promise<void> {
  let running: Command | undefined
  if (SERVICE_LINK.test(process.env.TIDEGATE_PORT ?? '')) delete process.env.TIDEGATE_PORT
  try {
    const program = await createProgram(process.argv.slice(2))
    await program
      .hook('preAction', (_, command) => {
        running = command
      })
      .parseAsync()
  } catch (error) {
    // The help was shown, or the version.
    if (error instanceof CommanderError && error.exitCode === 0) return
    const { endingOf } = await import('./command/ending.ts')
    const { exitCode, line, document } = endingOf(error)
    // An error in the arguments comes before they are read.
    if (document !== undefined && process.argv.includes('--json')) reportJson(document)
    else if (line !== undefined) report(line)
    if (line !== undefined && isDebugging(running)) process.stderr.write(`${inspect(error)}\n`)
    process.exitCode = exitCode
  }
}

/** Once the command has run, because it reads the level in the configuration file itself. */
function isDebugging(command: Command | undefined): boolean {
  if (process.env.TIDEGATE_DEBUG === '1') return true
  return ['debug', 'trace'].includes(command?.opts().logLevel)
}

/** The reader of the output, such as `head`, may have read enough. */
function leaveWithReader(error: Error): never {
  if ('code' in error && error.code === 'EPIPE') process.exit()
  report(text.error(text.outputLost(error.message)))
  process.exit(1)
}
