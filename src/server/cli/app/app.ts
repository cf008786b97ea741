import { type Command, InvalidArgumentError } from 'commander'
import type { AppDetail } from '../../../shared/console/apps.ts'
import { ArtifactHost, MinisignKey, type ProvingSettings } from '../../../shared/files/proving.ts'
import { DocumentKey } from '../../../shared/files/signed-document.ts'
import { issueOf } from '../../../shared/issue.ts'
import { AppRef, DisplayName } from '../../../shared/names.ts'
import { Freeze } from '../../../shared/plans/freeze.ts'
import { TimeZone } from '../../../shared/plans/time-zone.ts'
import { Refusal } from '../../catalog/errors.ts'
import { UsageError } from '../command/errors.ts'
import { addServerCommand, type CommandOptions, onServer } from '../command/options.ts'
import { printAnswer, printTable } from '../command/output.ts'
import { several, valid } from '../command/valid.ts'
import {
  AppDocument,
  type AppShown,
  AppsDocument,
  FreezesDocument,
  ProvingDocument,
} from '../documents/documents.ts'
import { localTimeZone } from '../release/plan-options.ts'
import type { CommandServer } from '../server/calls.ts'
import { text } from '../strings/catalog.ts'
import { text as common } from '../strings/common.ts'
import { text as planText } from '../strings/plan.ts'

const words = text.app
const freezing = planText.freeze

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
  const { name = ref, init = false } = options
  const create = { create: init }
  const app = await onServer(options, (server) => server.apps.create.mutate({ ref, name }), create)
  printAnswer(options, AppDocument, { app: shown(app) }, words.created(ref))
}

async function proving(named: string, options: ProvingOptions): Promise<void> {
  const app = await onServer(options, async (server) => {
    const found = await findApp(server, named)
    const change = changeOf(found.proving, options)
    // A change of nothing writes nothing, and needs the right to change.
    if (Object.keys(change).length === 0) return found
    return await server.apps.setProving.mutate({ app: named, change, seen: found.proving })
  })
  const { ref, proving } = app
  printAnswer(options, ProvingDocument, { app: ref, proving }, words.proving.lines(proving))
}

/** Returns the app of that `ref` or id. Throws `unknown_app`. */
export async function findApp(server: CommandServer, named: string): Promise<AppDetail> {
  const apps = await server.apps.list.query()
  const found = apps.find(({ ref, id }) => ref === named || id === named)
  if (found === undefined) throw new Refusal({ code: 'unknown_app', app: named })
  return found
}

function changeOf(
  { hosts, documentKeys = [] }: ProvingSettings,
  { minisignKey, allowHost, disallowHost, documentKey, removeDocumentKey }: ProvingOptions,
): Partial<ProvingSettings> {
  const changedHosts = changed(hosts, allowHost, disallowHost)
  const changedKeys = changed(documentKeys, documentKey, removeDocumentKey)
  return {
    ...(minisignKey !== undefined && {
      minisignKey: minisignKey === NONE ? null : minisignKey,
    }),
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
  const apps = (await onServer(options, (server) => server.apps.list.query())).map(shown)
  const rows = apps.map(({ ref, name, archived, channels, createdAt }) => {
    return [ref, name, archived ? words.archived : words.active, channels.join(', '), createdAt]
  })
  printAnswer(options, AppsDocument, { apps }, () => printTable(words.headings, rows, words.empty))
}

function shown({ id, ref, name, createdAt, archived, channels }: AppDetail): AppShown {
  return { id, ref, name, createdAt, archived, channels: channels.map((channel) => channel.name) }
}

type Days = Pick<Freeze, 'firstDay' | 'lastDay'>

interface FreezeOptions extends CommandOptions {
  readonly add?: readonly Days[]
  readonly remove?: readonly Days[]
  readonly name?: string
  readonly timeZone?: string
}

function addFreezeCommand(app: Command): void {
  addServerCommand(app, 'freeze', freezing.description, FreezesDocument)
    .argument('<app>', common.appArgument)
    .option('--add <days>', freezing.add, several(readDays))
    .option('--remove <days>', freezing.remove, several(readDays))
    .option('--name <name>', freezing.name, valid(Freeze.shape.name))
    .option('--time-zone <zone>', freezing.timeZone, valid(TimeZone))
    .action(freeze)
}

async function freeze(named: string, options: FreezeOptions): Promise<void> {
  const app = await onServer(options, async (server) => {
    const found = await findApp(server, named)
    const { add = [], remove = [] } = options
    // A change of nothing writes nothing, and needs the right to change.
    if (add.length + remove.length === 0) return found
    const freezes = changedFreezes(found.freezes, options)
    return await server.apps.setFreezes.mutate({ app: named, freezes, seen: found.freezes })
  })
  const { ref, freezes } = app
  const rows = freezes.map((each) => [freezing.days(each), each.timeZone, each.name || null])
  printAnswer(options, FreezesDocument, { app: ref, freezes }, () =>
    printTable(freezing.headings, rows, freezing.empty),
  )
}

function changedFreezes(
  known: readonly Freeze[],
  { add = [], remove = [], name = '', timeZone = localTimeZone() }: FreezeOptions,
): Freeze[] {
  const unknown = remove.find((days) => !known.some((each) => isSame(each, days)))
  if (unknown !== undefined) throw new UsageError(freezing.unknown(freezing.days(unknown)))
  const kept = known.filter((each) => !remove.some((days) => isSame(each, days)))
  return [...kept, ...add.map((days) => ({ ...days, name, timeZone }))]
}

function isSame(one: Days, other: Days): boolean {
  return one.firstDay === other.firstDay && one.lastDay === other.lastDay
}

/** Reads `2026-12-19..2027-01-03`, or a single day. */
function readDays(typed: string): Days {
  const [firstDay = '', lastDay = firstDay, ...more] = typed.split('..')
  if (more.length > 0) throw new InvalidArgumentError(freezing.form)
  const result = Freeze.safeParse({ firstDay, lastDay })
  if (result.success) return { firstDay, lastDay }
  throw new InvalidArgumentError(
    freezing.wrong(issueOf(result.error, { firstDay, lastDay }).reason),
  )
}
