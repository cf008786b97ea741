import type { Command } from 'commander'
import type { z } from 'zod'
import { text } from '../strings/common.ts'

/** What is known of a command beside its arguments and options. */
export interface Described {
  /** Without the name of the program. */
  readonly examples: readonly string[]
  /** What it prints with `--json`, if it does. */
  readonly document?: z.ZodType | undefined
}

const described = new WeakMap<Command, Described>()

/** Adds examples to the help of a command, and keeps what it prints for the documentation. */
export function describeCommand(command: Command, { examples, document }: Described): void {
  described.set(command, { examples, document })
  const lines = examples.map((example) => `tidegate ${example}`)
  command.addHelpText('after', text.examples(lines))
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
  describeCommand(group, { examples })
}
