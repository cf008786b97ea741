import { Help } from 'commander'
import { createProgram } from '../../src/server/cli/program.ts'

/** Returns the module that lists the commands of the top level, for a help that does not load them. */
export async function commandList(): Promise<string> {
  const help = new Help()
  const { commands } = await createProgram()
  const lines = commands
    .filter((command) => !['completion', 'complete'].includes(command.name()))
    .map((command) => `${help.subcommandTerm(command)}  ${command.description()}`)
  return [
    '// Made by `npm run generate` from the commands.',
    '',
    '/** The commands of the top level, as the help of the program shows them: on each line a term, and after two spaces what it does. */',
    `export const COMMAND_LIST = \`${lines.join('\n').replace(/[\\`$]/g, '\\$&')}\``,
    '',
  ].join('\n')
}
