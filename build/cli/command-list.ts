import { Help } from 'commander'
import { createProgram } from '../../src/server/cli/program.ts'

/** Characters of a line, as the formatter has them. */
const LINE = 100

/** Returns the module that lists the commands of the top level, for a help that does not load them. */
export async function commandList(): Promise<string> {
  const help = new Help()
  const { commands } = await createProgram()
  const rows = commands.flatMap((command) => {
    const [name, term] = [command.name(), help.subcommandTerm(command)]
    if (name === 'completion' || name === 'complete') return []
    const cells = [name, term, command.description()].map(quoted)
    const line = `  [${cells.join(', ')}],`
    return line.length <= LINE ? [line] : ['  [', ...cells.map((cell) => `    ${cell},`), '  ],']
  })
  return [
    '// Made by `npm run generate` from the commands.',
    '',
    'type Row = readonly [name: string, term: string, description: string]',
    '',
    '/** The commands of the top level, as the help of the program shows them. */',
    'export const COMMAND_LIST: readonly Row[] = [',
    ...rows,
    ']',
    '',
  ].join('\n')
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}
