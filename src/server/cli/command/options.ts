import type { Command } from 'commander'
import type { z } from 'zod'
import type { ReleasesInput } from '../../../shared/console/command-line.ts'
import type { ReleasePlace } from '../../../shared/console/releases/releases.ts'
import { ChannelName, Version } from '../../../shared/names.ts'
import { ReleaseListQuery } from '../../../shared/releases/release-list.ts'
import type { DataOptions } from '../data/data-folder.ts'
import { describeCommand } from '../documents/described.ts'
import type { CommandServer } from '../server/calls.ts'
import { addLocalOptions, addServerOptions, type ServerOptions } from '../server/options.ts'
import { text as words } from '../strings/common.ts'
import { UsageError } from './errors.ts'
import { print, printAnswer } from './output.ts'
import { valid, validNumber } from './valid.ts'

/** The options of commands that work on this computer only. */
export interface ReadOptions extends DataOptions {
  readonly json?: boolean
}

/** The options of commands that work on a database of this computer or on a server over the network. */
export interface CommandOptions extends ServerOptions {
  readonly json?: boolean
}

/** Adds a command that works on a local database or a server over the network. `document`: what it prints with `--json`. */
export function addServerCommand(
  parent: Command,
  name: string,
  description: string,
  document: z.ZodType,
): Command {
  const command = parent.command(name).description(description)
  describeCommand(command, document)
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

/** Returns what acts on the release that the arguments of such a command name. */
export function atVersion<Options>(act: (place: ReleasePlace, options: Options) => Promise<void>) {
  return (app: string, channel: string, version: string, options: Options) =>
    act({ app, channel, version }, options)
}

interface PageOptions extends CommandOptions {
  readonly channel?: string
  readonly page?: number
  readonly perPage?: number
}

type PageQuery = z.output<typeof ReleasesInput>

interface ListWords {
  readonly description: string
  readonly channel: string
  readonly perPage: string
  readonly pages: (page: number, pageCount: number, total: number) => string
}

/** Adds the command `list` for a page of what is on the channels of one app or all. `printRows` writes its table. */
export function addListCommand<
  Found extends { readonly pageCount: number; readonly total: number },
>(
  parent: Command,
  list: ListWords,
  document: z.ZodType<Found>,
  ask: (server: CommandServer, query: PageQuery) => Promise<Found>,
  printRows: (found: Found) => void,
): void {
  const { page, per_page: perPage } = ReleaseListQuery.shape
  addServerCommand(parent, 'list', list.description, document)
    .argument('[app]', words.listedApp)
    .option('--channel <channel>', list.channel, valid(ChannelName))
    .option('--page <n>', words.page, validNumber(page))
    .option('--per-page <n>', list.perPage, validNumber(perPage))
    .action(async (app: string | undefined, options: PageOptions) => {
      const { channel, page = 1, perPage = 20 } = options
      if (app === undefined && channel !== undefined) throw new UsageError(words.channelNeedsApp)
      const found = await onServer(options, (server) =>
        ask(server, { app, channel, page, perPage }),
      )
      printAnswer(options, document, found, () => {
        printRows(found)
        if (found.pageCount > 1) print(list.pages(page, found.pageCount, found.total))
      })
    })
}

/** Runs `work` as `withServer` does. What reaches a server is loaded only now: the help does without. */
export async function onServer<T>(
  options: ServerOptions,
  work: (server: CommandServer) => Promise<T>,
  how?: { readonly create?: boolean },
): Promise<T> {
  const { withServer } = await import('../server/connect.ts')
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
