import type { Command } from 'commander'
import type { z } from 'zod'
import type { DataOptions } from './data-folder.ts'
import { describeCommand } from './documents/described.ts'
import { addLocalOptions, addServerOptions, type ServerOptions } from './server/options.ts'
import { text as words } from './strings/common.ts'

export { FileName, several, valid, validNumber } from './valid.ts'

/** The options of commands that work on this computer only. */
export interface ReadOptions extends DataOptions {
  readonly json?: boolean
}

/** The options of commands that work on a database of this computer or on a server over the network. */
export interface CommandOptions extends ServerOptions {
  readonly json?: boolean
}

/** What is said of a command, and what it prints. */
export interface CommandFacts {
  readonly description: string
  /** Without the name of the program. */
  readonly examples: readonly string[]
  /** What it prints with `--json`. */
  readonly document: z.ZodType
  /** True for an earlier form of another command, which still works and is shown nowhere. */
  readonly isFormer?: boolean
}

/** Adds a command that works on a database of this computer or on a server over the network. */
export function addServerCommand(parent: Command, usage: string, facts: CommandFacts): Command {
  const hidden = facts.isFormer === true
  const command = parent.command(usage, { hidden }).description(facts.description)
  describeCommand(command, facts)
  return addServerOptions(command).option('--json', words.jsonOption)
}

/** Adds a command that works on this computer only, and shows something. */
export function addLocalCommand(parent: Command, usage: string, facts: CommandFacts): Command {
  const command = addReadCommand(parent, usage, facts.description)
  describeCommand(command, facts)
  return command
}

/** Adds a command, such as `serve`, that works on this computer only. */
export function addCommand(parent: Command, usage: string, description: string): Command {
  return addLocalOptions(parent.command(usage).description(description))
}

/** The same for a command that shows something. */
export function addReadCommand(parent: Command, usage: string, description: string): Command {
  return addCommand(parent, usage, description).option('--json', words.jsonOption)
}
