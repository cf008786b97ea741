import { exitCodes } from '../../src/server/cli/documents/described.ts'
import type { DocumentedCommand, DocumentedProgram, Term } from './commands.ts'
import { text } from './strings.ts'

/** Returns docs/cli.md. Its examples are no code blocks: a test runs them through the program itself. */
export function markdown({ commands, common }: DocumentedProgram): string {
  const codes = exitCodes().map(({ code, meaning }) => `| ${code} | ${meaning} |`)
  return [
    ...text.markdown.introduction,
    '## Exit codes',
    '',
    '| Code | Meaning |',
    '|---|---|',
    ...codes,
    '',
    '## Options of most commands',
    '',
    ...table('Option', common),
    ...commands.flatMap(section),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n')
}

function section(command: DocumentedCommand): string[] {
  const { name, usage, description, examples, document } = command
  return [
    `## ${name}`,
    '',
    `${description}.`,
    '',
    `\`tidegate ${usage}\``,
    '',
    ...table('Argument', command.arguments),
    ...table('Option', command.options),
    ...(examples.length === 0 ? [] : ['Examples:', '']),
    ...examples.map((example) => `- \`tidegate ${example}\``),
    ...(examples.length === 0 ? [] : ['']),
    ...(document === undefined ? [] : [text.markdown.document(name), '']),
  ]
}

function table(heading: string, terms: readonly Term[]): string[] {
  if (terms.length === 0) return []
  const rows = terms.map(({ term, description }) => `| \`${cell(term)}\` | ${cell(description)} |`)
  return [`| ${heading} | |`, '|---|---|', ...rows, '']
}

function cell(content: string): string {
  return content.replaceAll('|', '\\|')
}
