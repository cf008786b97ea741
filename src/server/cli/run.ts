import { inspect } from 'node:util'
import { endingOf } from './errors.ts'
import { say } from './output.ts'
import { createProgram } from './program.ts'

/** Runs the command line of this process, and sets its exit code. */
export async function run(): Promise<void> {
  process.stdout.on('error', leaveWithReader)
  let debugging = process.env.TIDEGATE_DEBUG === '1'
  try {
    await createProgram()
      .hook('preAction', (_, command) => {
        debugging ||= ['debug', 'trace'].includes(command.opts().logLevel)
      })
      .parseAsync()
  } catch (error) {
    const { exitCode, line } = endingOf(error)
    if (line !== undefined) say(line)
    if (line !== undefined && debugging) process.stderr.write(`${inspect(error)}\n`)
    process.exitCode = exitCode
  }
}

/** Whoever reads the output, such as `head`, may have read enough. */
function leaveWithReader(error: Error): void {
  if ('code' in error && error.code === 'EPIPE') process.exit()
  throw error
}
