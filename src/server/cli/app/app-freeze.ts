import { type Command, InvalidArgumentError } from 'commander'
import { Freeze } from '../../../shared/freeze.ts'
import { issueOf } from '../../../shared/issue.ts'
import { TimeZone } from '../../../shared/time-zone.ts'
import { Refusal } from '../../catalog/errors.ts'
import { FreezesDocument } from '../documents/documents.ts'
import { UsageError } from '../errors.ts'
import { addServerCommand, type CommandOptions, several, valid } from '../options.ts'
import { printJson, printTable } from '../output.ts'
import { localTimeZone } from '../plan/plan-options.ts'
import { text as common } from '../strings/common.ts'
import { text } from '../strings/plan.ts'

const words = text.freeze

type Days = Pick<Freeze, 'firstDay' | 'lastDay'>

interface FreezeOptions extends CommandOptions {
  readonly add?: readonly Days[]
  readonly remove?: readonly Days[]
  readonly name?: string
  readonly timeZone?: string
}

/** `app freeze`. */
export function addFreezeCommand(app: Command): void {
  addServerCommand(app, 'freeze', words.description, FreezesDocument)
    .argument('<app>', common.appArgument)
    .option('--add <days>', words.add, several(readDays))
    .option('--remove <days>', words.remove, several(readDays))
    .option('--name <name>', words.name, valid(Freeze.shape.name))
    .option('--time-zone <zone>', words.timeZone, valid(TimeZone))
    .action(freeze)
}

async function freeze(named: string, options: FreezeOptions): Promise<void> {
  const { withServer } = await import('../server/connect.ts')
  const app = await withServer(options, async (server) => {
    const apps = await server.apps.list.query()
    const found = apps.find(({ ref, id }) => ref === named || id === named)
    if (found === undefined) throw new Refusal({ code: 'unknown_app', app: named })
    const { add = [], remove = [] } = options
    // A change of nothing writes nothing, and needs the right to change.
    if (add.length + remove.length === 0) return found
    const freezes = changed(found.freezes, options)
    return await server.apps.setFreezes.mutate({ app: named, freezes, seen: found.freezes })
  })
  const { ref, freezes } = app
  if (options.json) {
    printJson(FreezesDocument, { app: ref, freezes })
    return
  }
  const rows = freezes.map((each) => [words.days(each), each.timeZone, each.name || null])
  printTable(words.headings, rows, words.empty)
}

function changed(
  known: readonly Freeze[],
  { add = [], remove = [], name = '', timeZone = localTimeZone() }: FreezeOptions,
): Freeze[] {
  const unknown = remove.find((days) => !known.some((each) => isSame(each, days)))
  if (unknown !== undefined) throw new UsageError(words.unknown(words.days(unknown)))
  const kept = known.filter((each) => !remove.some((days) => isSame(each, days)))
  return [...kept, ...add.map((days) => ({ ...days, name, timeZone }))]
}

function isSame(one: Days, other: Days): boolean {
  return one.firstDay === other.firstDay && one.lastDay === other.lastDay
}

/** Reads `2026-12-19..2027-01-03`, or a single day. */
function readDays(typed: string): Days {
  const [firstDay = '', lastDay = firstDay, ...more] = typed.split('..')
  if (more.length > 0) throw new InvalidArgumentError(words.form)
  const result = Freeze.safeParse({ firstDay, lastDay })
  if (result.success) return { firstDay, lastDay }
  throw new InvalidArgumentError(words.wrong(issueOf(result.error, { firstDay, lastDay }).reason))
}
