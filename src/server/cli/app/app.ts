import type { Command } from 'commander'
import type { AppDetail } from '../../../shared/console/apps.ts'
import { AppRef, DisplayName } from '../../../shared/names.ts'
import { ArtifactHost, MinisignKey, type ProvingSettings } from '../../../shared/proving.ts'
import { DocumentKey } from '../../../shared/signed-document.ts'
import { Refusal } from '../../catalog/errors.ts'
import {
  AppDocument,
  type AppShown,
  AppsDocument,
  ProvingDocument,
} from '../documents/documents.ts'
import { addServerCommand, type CommandOptions, several, valid } from '../options.ts'
import { print, printJson, printTable } from '../output.ts'
import { text } from '../strings/catalog.ts'
import { text as common } from '../strings/common.ts'
import { addFreezeCommand } from './app-freeze.ts'

const words = text.app

/** Typed in place of a key to remove it. */
const NONE = 'none'

interface ProvingOptions extends CommandOptions {
  readonly minisignKey?: string
  readonly allowHost?: readonly string[]
  readonly disallowHost?: readonly string[]
  readonly documentKey?: readonly string[]
  readonly removeDocumentKey?: readonly string[]
}

/** `app create`, `app list`, `app proving`, `app freeze`. */
export function addAppCommands(program: Command): void {
  const app = program.command('app').description(words.description)

  addServerCommand(app, 'create', words.create, AppDocument)
    .argument('<ref>', words.ref, valid(AppRef))
    .option('--name <name>', words.name, valid(DisplayName))
    .option('--init', words.init)
    .action(create)

  addServerCommand(app, 'list', words.list, AppsDocument).action(list)

  addServerCommand(app, 'proving', words.proving.description, ProvingDocument)
    .argument('<app>', common.appArgument)
    .option('--minisign-key <key>', words.proving.minisignKey, keyOrNone)
    .option('--allow-host <host>', words.proving.allowHost, several(valid(ArtifactHost)))
    .option('--disallow-host <host>', words.proving.disallowHost, several(valid(ArtifactHost)))
    .option('--document-key <updater:key>', words.proving.documentKey, several(valid(DocumentKey)))
    .option(
      '--remove-document-key <updater:key>',
      words.proving.removeDocumentKey,
      several(valid(DocumentKey)),
    )
    .action(proving)

  addFreezeCommand(app)
}

interface CreateOptions extends CommandOptions {
  readonly name?: string
  readonly init?: boolean
}

async function create(ref: string, options: CreateOptions): Promise<void> {
  const { withServer } = await import('../server/connect.ts')
  const { name = ref, init = false } = options
  const app = await withServer(options, (server) => server.apps.create.mutate({ ref, name }), {
    create: init,
  })
  if (options.json) printJson(AppDocument, { app: shown(app) })
  else print(words.created(ref))
}

async function proving(named: string, options: ProvingOptions): Promise<void> {
  const { withServer } = await import('../server/connect.ts')
  const app = await withServer(options, async (server) => {
    const apps = await server.apps.list.query()
    const found = apps.find(({ ref, id }) => ref === named || id === named)
    if (found === undefined) throw new Refusal({ code: 'unknown_app', app: named })
    const change = changeOf(found.proving, options)
    // A change of nothing writes nothing, and needs the right to change.
    if (Object.keys(change).length === 0) return found
    return await server.apps.setProving.mutate({ app: named, change, seen: found.proving })
  })
  if (options.json) printJson(ProvingDocument, { app: app.ref, proving: app.proving })
  else for (const line of words.proving.lines(app.proving)) print(line)
}

function changeOf(
  { hosts, documentKeys = [] }: ProvingSettings,
  { minisignKey, allowHost, disallowHost, documentKey, removeDocumentKey }: ProvingOptions,
): Partial<ProvingSettings> {
  const changedHosts = changed(hosts, allowHost, disallowHost)
  const changedKeys = changed(documentKeys, documentKey, removeDocumentKey)
  return {
    ...(minisignKey === undefined
      ? {}
      : { minisignKey: minisignKey === NONE ? null : minisignKey }),
    ...(changedHosts && { hosts: changedHosts }),
    ...(changedKeys && { documentKeys: changedKeys }),
  }
}

/** Undefined if nothing is added or removed. */
function changed(
  known: readonly string[],
  added: readonly string[] = [],
  removed: readonly string[] = [],
): string[] | undefined {
  if (added.length === 0 && removed.length === 0) return undefined
  return [...new Set([...known.filter((each) => !removed.includes(each)), ...added])]
}

function keyOrNone(typed: string): string {
  return typed === NONE ? NONE : valid(MinisignKey)(typed)
}

async function list(options: CommandOptions): Promise<void> {
  const { withServer } = await import('../server/connect.ts')
  const apps = (await withServer(options, (server) => server.apps.list.query())).map(shown)
  if (options.json) {
    printJson(AppsDocument, { apps })
    return
  }
  printTable(
    words.headings,
    apps.map(({ ref, name, archived, channels, createdAt }) => {
      return [ref, name, archived ? words.archived : words.active, channels.join(', '), createdAt]
    }),
    words.empty,
  )
}

function shown({ id, ref, name, createdAt, archived, channels }: AppDetail): AppShown {
  return { id, ref, name, createdAt, archived, channels: channels.map((channel) => channel.name) }
}
