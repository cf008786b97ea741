import type { Command } from 'commander'
import type { z } from 'zod'
import { Version } from '../../shared/names.ts'
import type { DataOptions } from './data/data-folder.ts'
import { describeCommand } from './documents/described.ts'
import type { CommandServer } from './server/calls.ts'
import { addLocalOptions, addServerOptions, type ServerOptions } from './server/options.ts'
import { text as words } from './strings/common.ts'
import { valid } from './valid.ts'

export {
  duration,
  FileName,
  percentage,
  several,
  valid,
  validNumber,
  validPercentage,
} from './valid.ts'

/** The options of commands that work on this computer only. */
export interface ReadOptions extends DataOptions {
  readonly json?: boolean
}

/** The options of commands that work on a database of this computer or on a server over the network. */
export interface CommandOptions extends ServerOptions {
  readonly json?: boolean
}

/**
 * Adds a command that works on a database of this computer or on a server over the network. `document` is what it prints
 * with `--json`. An earlier form of another command still works and is shown nowhere: `now` is the name of the other.
 */
export function addServerCommand(
  parent: Command,
  name: string,
  description: string,
  document: z.ZodType,
  now?: string,
): Command {
  const command = parent.command(name, { hidden: now !== undefined }).description(description)
  describeCommand(command, document, now)
  return addServerOptions(command).option('--json', words.jsonOption)
}

/** The same for a command about one version of a channel. `version` is the help of that argument. */
export function addVersionCommand(
  parent: Command,
  name: string,
  description: string,
  document: z.ZodType,
  version: string = words.versionArgument,
): Command {
  return addServerCommand(parent, name, description, document)
    .argument('<app>', words.appArgument)
    .argument('<channel>', words.channelArgument)
    .argument('<version>', version, valid(Version))
}

/** Runs `work` as `withServer` does. What reaches a server is loaded only now: the help does without. */
export async function onServer<T>(
  options: ServerOptions,
  work: (server: CommandServer) => Promise<T>,
  how?: { readonly create?: boolean },
): Promise<T> {
  const { withServer } = await import('./server/connect.ts')
  return await withServer(options, work, how)
}

/** Adds a command that works on this computer only, and shows something. */
export function addLocalCommand(
  parent: Command,
  name: string,
  description: string,
  document: z.ZodType,
): Command {
  const command = addCommand(parent, name, description)
  describeCommand(command, document)
  return command.option('--json', words.jsonOption)
}

/** Adds a command, such as `serve`, that works on this computer only. */
export function addCommand(parent: Command, usage: string, description: string): Command {
  return addLocalOptions(parent.command(usage).description(description))
}
