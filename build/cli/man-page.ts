import { exitCodes } from '../../src/server/cli/documents/described.ts'
import { VERSION } from '../../src/server/runtime/version.ts'
import type { DocumentedCommand, DocumentedProgram, Term } from './commands.ts'
import { text } from './strings.ts'

const words = text.man

/** Returns the man page, in the macros of man(7). */
export function manPage({ commands, common }: DocumentedProgram): string {
  return [
    `.TH TIDEGATE 1 "" "Tidegate ${VERSION}" "Tidegate"`,
    '.ad l',
    '.SH NAME',
    `tidegate \\- ${roff(words.summary)}`,
    '.SH SYNOPSIS',
    '.B tidegate',
    '.I command',
    '.RI [ options ]',
    '.SH DESCRIPTION',
    roff(words.description),
    '.PP',
    roff(words.json),
    '.SH COMMANDS',
    ...commands.flatMap(section),
    '.SH "OPTIONS OF MOST COMMANDS"',
    ...common.flatMap(term),
    '.SH "EXIT STATUS"',
    ...exitCodes().flatMap(({ code, meaning }) =>
      term({ term: String(code), description: meaning }),
    ),
    '.SH ENVIRONMENT',
    ...term({ term: 'TIDEGATE_SERVER', description: words.server }),
    ...term({ term: 'TIDEGATE_KEY', description: words.key }),
    ...term({ term: 'TIDEGATE_DATA', description: words.data }),
  ]
    .join('\n')
    .concat('\n')
}

function section({ usage, description, examples, ...rest }: DocumentedCommand): string[] {
  const terms = [...rest.arguments, ...rest.options]
  return [
    `.SS "${roff(`tidegate ${usage}`).replaceAll('"', '\\(dq')}"`,
    roff(`${description}.`),
    ...terms.flatMap(term),
    ...(examples.length === 0 ? [] : ['.PP', 'Examples:']),
    ...examples.flatMap((example) => ['.PP', '.RS', roff(`tidegate ${example}`), '.RE']),
  ]
}

function term({ term: name, description }: Term): string[] {
  return ['.TP', `.B "${roff(name).replaceAll('"', '\\(dq')}"`, roff(description)]
}

/** Escapes a text: backslashes, hyphens that are to be copied, and what a line must not begin with. */
function roff(content: string): string {
  return content
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replace(/^([.'])/, '\\&$1')
}
