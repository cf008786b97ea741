import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { z } from 'zod'
import {
  MoveError,
  type MovePlace,
  type MoveProgress,
  type MoveResult,
} from '../../storage/interface/moves.ts'
import { Failure, StateConflict, UsageError } from '../command/errors.ts'
import { print, printAnswer, printTable } from '../command/output.ts'
import { PercentProgress } from '../command/percent-progress.ts'
import { interruptible } from '../command/signals.ts'
import { FileName, valid } from '../command/valid.ts'
import { describeCommand } from '../documents/described.ts'
import { text as common } from '../strings/common.ts'
import { text as words } from '../strings/move.ts'
import { requireDatabaseUrl } from './database-option.ts'

const MoveDocument = z.discriminatedUnion('discarded', [
  z.strictObject({
    discarded: z.literal(false),
    /** Without passwords. */
    from: z.string(),
    to: z.string(),
    /** Whether it continued an interrupted move. */
    resumed: z.boolean(),
    /** What both sides have. */
    tables: z.array(z.strictObject({ table: z.string(), rows: z.int() })).readonly(),
    devices: z.array(z.strictObject({ app: z.string(), devices: z.int() })).readonly(),
  }),
  z.strictObject({ discarded: z.literal(true), to: z.string() }),
])

interface MoveCommandOptions {
  readonly from?: string
  readonly to: string
  readonly discard?: boolean
  readonly json?: boolean
}

/** `move`. */
export function addMoveCommand(program: Command): void {
  const command = program.command('move').description(words.description)
  describeCommand(command, MoveDocument)
  command
    .addOption(new Option('--from <place>', words.from).argParser(valid(FileName)))
    .addOption(
      new Option('--to <place>', words.to).argParser(valid(FileName)).makeOptionMandatory(),
    )
    .option('--discard', words.discard)
    .option('--json', common.jsonOption)
    .action(runMove)
}

async function runMove(options: MoveCommandOptions): Promise<void> {
  const to = placeOf('--to', options.to)
  try {
    if (options.discard === true) await discard(to, options)
    else await moveTo(to, options)
  } catch (error) {
    if (!(error instanceof MoveError)) throw error
    const { problem } = error
    const sentence = words.problem(problem)
    throw problem.kind === 'mismatch' || problem.kind === 'miscounted'
      ? new Failure(sentence)
      : new StateConflict(sentence)
  }
}

async function moveTo(to: MovePlace, options: MoveCommandOptions): Promise<void> {
  const { from: given } = options
  if (given === undefined) throw new UsageError(words.fromMissing)
  const from = placeOf('--from', given)
  if (from.kind === to.kind) throw new UsageError(words.sameKind(from.kind === 'folder'))
  const { moveStorage } = await import('../../storage/open-storage.ts')
  const shown = new MoveShown()
  const result = await interruptible(
    () => new Failure(words.interrupted),
    (signal) => moveStorage({ from, to, signal, onProgress: (done) => shown.show(done) }),
  ).finally(() => shown.end())
  printAnswer(options, MoveDocument, { discarded: false, ...result }, () => printMoved(to, result))
}

function printMoved(to: MovePlace, result: MoveResult): void {
  const rows = result.tables.reduce((sum, table) => sum + table.rows, 0)
  print(words.done(rows, result.tables.length, result.from, result.to))
  print('')
  printTable(
    words.headings,
    result.devices.map(({ app, devices }) => [app, String(devices)]),
    words.noApps,
  )
  print('')
  print(words.unchanged(result.from))
  print(to.kind === 'folder' ? words.startFolder(result.to) : words.startPostgres(result.to))
}

async function discard(to: MovePlace, options: MoveCommandOptions): Promise<void> {
  if (options.from !== undefined) throw new UsageError(words.discardAlone)
  const { discardMove } = await import('../../storage/open-storage.ts')
  const place = await discardMove(to)
  printAnswer(options, MoveDocument, { discarded: true, to: place }, words.discarded(place))
}

/** Throws `UsageError`, which does not show what was typed: it may have a password. */
function placeOf(option: string, typed: string): MovePlace {
  if (!/^postgres(ql)?:/i.test(typed)) return { kind: 'folder', folder: resolve(typed) }
  return { kind: 'postgres', url: requireDatabaseUrl(typed, option) }
}

class MoveShown {
  readonly #copying = new PercentProgress({ part: words.copying, all: words.copied })
  readonly #verifying = new PercentProgress({ part: words.verifying, all: words.verified })

  show({ phase, done, total }: MoveProgress): void {
    const shown = phase === 'copying' ? this.#copying : this.#verifying
    shown.show(total === 0 ? 1 : done / total)
  }

  end(): void {
    this.#copying.end()
    this.#verifying.end()
  }
}
