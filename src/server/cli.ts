import { inspect } from 'node:util'
import { endingOf } from './cli/errors.ts'
import { say } from './cli/output.ts'
import { createProgram } from './cli/program.ts'

// Whoever reads the output may have read enough.
process.stdout.on('error', (error) => {
  if ('code' in error && error.code === 'EPIPE') process.exit(0)
  throw error
})

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
  if (line !== undefined && debugging) say(inspect(error))
  process.exitCode = exitCode
}
