import { Help } from 'commander'
import { createProgram } from '../../src/server/cli/program.ts'

/** Returns the module that lists the commands of the top level, for a help that does not load them. */
export async function commandList(): Promise<string> {
  const help = new Help()
  const { commands } = await createProgram()
  const rows = commands.flatMap((command) => {
    const [name, term] = [command.name(), help.subcommandTerm(command)]
    if (name === 'completion' || name === 'complete') return []
    return [
      '  {',
      `    name: ${quoted(name)},`,
      `    term: ${quoted(term)},`,
      ...(quoted(command.description()).length > 80
        ? ['    description:', `      ${quoted(command.description())},`]
        : [`    description: ${quoted(command.description())},`]),
      '  },',
    ]
  })
  return [
    '// Made by `npm run generate` from the commands.',
    '',
    '/** The commands of the top level, as the help of the program shows them. */',
    'export const COMMAND_LIST = [',
    ...rows,
    '] as const',
    '',
  ].join('\n')
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
