import type { Command } from 'commander'
import type { z } from 'zod'
import { EXIT, type ExitName } from '../command/errors.ts'
import { text } from '../strings/common.ts'
import { EXAMPLES } from '../strings/examples.ts'
import { text as server } from '../strings/server.ts'

export interface Described {
  /** Without the name of the program. */
  readonly examples: readonly string[]
  /** What it prints with `--json`, if it does. */
  readonly document?: z.ZodType | undefined
}

const described = new WeakMap<Command, Described>()

/** Adds its examples to the help of a command, and keeps what it prints for the documentation. */
export function describeCommand(command: Command, document?: z.ZodType): void {
  const name = fullName(command)
  const examples = EXAMPLES.filter((example) => `${example} `.startsWith(`${name} `))
  keep(command, { examples, document })
}

function keep(command: Command, { examples, document }: Described): void {
  described.set(command, { examples, document })
  const lines = examples.map((example) => `tidegate ${example}`)
  command.addHelpText('after', text.examples(lines))
}

/** Without the name of the program. */
function fullName(command: Command): string {
  const { parent } = command
  return parent?.parent ? `${fullName(parent)} ${command.name()}` : command.name()
}

/** Returns what `describeCommand` kept; nothing for a command that only holds others. */
export function describedOf(command: Command): Described {
  return described.get(command) ?? { examples: [] }
}

/** Adds examples of its commands to the help of a command that only holds others. */
export function addExamplesOfCommands(group: Command): void {
  if (group.commands.length === 0) return
  for (const command of group.commands) addExamplesOfCommands(command)
  const examples = group.commands.flatMap((command) => describedOf(command).examples.slice(0, 1))
  keep(group, { examples })
}

/** Returns every exit code with what it means. */
export function exitCodes(): { readonly code: number; readonly meaning: string }[] {
  return Object.entries(server.exitCodes).map(([name, meaning]) => ({
    code: EXIT[name as ExitName],
    meaning,
  }))
}
