import type { Command } from 'commander'
import { usualDataFolder } from '../../src/server/cli/data/data-folder.ts'
import { describedOf } from '../../src/server/cli/documents/described.ts'
import { createProgram } from '../../src/server/cli/program.ts'

/** An argument or an option, as it is written and what it is for. */
export interface Term {
  readonly term: string
  readonly description: string
}

/** A command that does something, as the documentation shows it. */
export interface DocumentedCommand {
  /** Without the name of the program: `release publish`. */
  readonly name: string
  /** The same with arguments and `[options]`. */
  readonly usage: string
  readonly description: string
  readonly arguments: readonly Term[]
  readonly options: readonly Term[]
  readonly examples: readonly string[]
  /** What it prints with `--json`. */
  readonly document: ReturnType<typeof describedOf>['document']
}

/** What the documentation shows of the program. */
export interface DocumentedProgram {
  /** In the order of the help. */
  readonly commands: readonly DocumentedCommand[]
  /** Options that most commands have; they are left out of `commands`. */
  readonly common: readonly Term[]
}

/** Commands that have an option in common from which on it is described once. */
const MANY = 10

/** Returns the program as the documentation shows it. */
export async function documentedProgram(): Promise<DocumentedProgram> {
  const program = await createProgram()
  const commands = visible(program).flatMap(leaves).map(documented)
  const terms = Map.groupBy(
    commands.flatMap(({ options }) => options),
    ({ term, description }) => `${term} ${description}`,
  )
  const common = [...terms.values()].flatMap((same) => (same.length < MANY ? [] : same.slice(0, 1)))
  const isOwn = (option: Term) => !common.some(({ term }) => term === option.term)
  return {
    common,
    commands: commands.map((command) => {
      return { ...command, options: command.options.filter(isOwn) }
    }),
  }
}

function visible(command: Command): Command[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((child) => child.name() !== 'help')
}

/** Returns the commands that do something: a command itself, or those that it holds. */
function leaves(command: Command): Command[] {
  const children = visible(command)
  return children.length === 0 ? [command] : children.flatMap(leaves)
}

/** Returns a command with the names of those that hold it, without that of the program. */
function fullName(command: Command): string {
  const { parent } = command
  return parent?.parent ? `${fullName(parent)} ${command.name()}` : command.name()
}

function documented(command: Command): DocumentedCommand {
  const help = command.createHelp()
  const name = fullName(command)
  const { examples, document } = describedOf(command)
  return {
    name,
    usage: `${name} ${command.usage()}`,
    description: command.description(),
    arguments: help.visibleArguments(command).map((argument) => ({
      term: help.argumentTerm(argument),
      description: elsewhere(help.argumentDescription(argument)),
    })),
    options: help.visibleOptions(command).map((option) => ({
      term: help.optionTerm(option),
      description: elsewhere(help.optionDescription(option)),
    })),
    examples,
    document,
  }
}

/** The help names the folder of who reads it. */
function elsewhere(description: string): string {
  return description.replaceAll(usualDataFolder(), 'that of the account')
}
