import { inspect } from 'node:util'
import { endingOf } from './errors.ts'
import { report } from './output.ts'
import { createProgram } from './program.ts'
import { text } from './strings/common.ts'

/** Runs the command line of this process, and sets its exit code. */
export async function run(): Promise<void> {
  process.stdout.on('error', leaveWithReader)
  // The output is not read, and the exit code still reports the result.
  process.stderr.on('error', () => {})
  let debugging = process.env.TIDEGATE_DEBUG === '1'
  try {
    await createProgram()
      .hook('preAction', (_, command) => {
        debugging ||= ['debug', 'trace'].includes(command.opts().logLevel)
      })
      .parseAsync()
  } catch (error) {
    const { exitCode, line } = endingOf(error)
    if (line !== undefined) report(line)
    if (line !== undefined && debugging) process.stderr.write(`${inspect(error)}\n`)
    process.exitCode = exitCode
  }
}

/** The reader of the output, such as `head`, may have read enough. */
function leaveWithReader(error: Error): never {
  if ('code' in error && error.code === 'EPIPE') process.exit()
  report(text.error(text.outputLost(error.message)))
  process.exit(1)
}
