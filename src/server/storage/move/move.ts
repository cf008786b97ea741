import { resolve } from 'node:path'
import {
  MoveError,
  type MoveOptions,
  type MovePlace,
  type MoveProgress,
  type MoveResult,
} from '../interface/moves.ts'
import { schemaVersion } from '../sqlite/migrations/index.ts'
import { digestOf } from './differences.ts'
import type { MoveReader, MoveRecord, MoveSource, MoveTarget } from './side.ts'
import { openSqliteSource } from './sqlite-source.ts'
import { openSqliteTarget } from './sqlite-target.ts'
import { type MovedTable, movedTables } from './tables.ts'

/**
 * Copies everything from one engine to the other, table by table, and compares both. What an earlier call with the same
 * places has copied is not copied again. Rejects with `MoveError`, `StorageError`, or the reason of `signal`; the target can
 * then be opened by nobody until a later call has ended, or `discardMove` has emptied it. The source is not changed.
 */
export async function move(options: MoveOptions): Promise<MoveResult> {
  const source = await openSource(options.from)
  try {
    const target = await openTarget(options.to)
    try {
      return await moveBetween(source, target, options)
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

/** Empties a target whose move has not ended. Returns its location. Rejects with `MoveError` if there is none. */
export async function discardMove(to: MovePlace): Promise<string> {
  const target = await openTarget(to)
  try {
    if ((await target.record()) === undefined) {
      throw new MoveError({ kind: 'no_move', place: target.location })
    }
    await target.discard()
    return target.location
  } finally {
    await target.close()
  }
}

async function moveBetween(
  source: MoveSource,
  target: MoveTarget,
  { signal, onProgress }: MoveOptions,
): Promise<MoveResult> {
  const resumed = await beginOrResume(source, target)
  const tables = tablesOf(source, target)
  const report = { signal, onProgress }
  await copyAll(source, target, tables, report)
  const counted = await verify(source, target, tables, report)
  await requireUnchanged(source, target)
  const devices = await target.devices()
  await target.finish(await source.givenOut())
  return { from: source.location, to: target.location, resumed, tables: counted, devices }
}

/** One of the sides is SQLite. */
function tablesOf(...sides: readonly MoveReader[]): MovedTable[] {
  const sqlite = sides.find(({ describe }) => describe !== undefined)
  if (sqlite?.describe === undefined) throw new Error('neither side is SQLite')
  return movedTables(sqlite.describe)
}

/** Returns whether the move had begun. */
async function beginOrResume(source: MoveSource, target: MoveTarget): Promise<boolean> {
  const record = await recordOf(source)
  const begun = await target.record()
  if (begun === undefined) {
    await target.begin(record)
    return false
  }
  const place = target.location
  if (begun.source !== source.location) {
    throw new MoveError({ kind: 'other_move', place, source: begun.source })
  }
  if (begun.mark !== record.mark) throw new MoveError({ kind: 'changed', place: source.location })
  if (String(begun.schemas) !== String(record.schemas)) {
    throw new MoveError({ kind: 'other_version', place })
  }
  return true
}

async function recordOf(source: MoveSource): Promise<MoveRecord> {
  const { SCHEMA } = await import('../postgres/migrations/index.ts')
  const schemas = [schemaVersion(), SCHEMA]
  return { source: source.location, mark: await source.mark(), schemas }
}

/** Commands can write beside a move. */
async function requireUnchanged(source: MoveSource, target: MoveTarget): Promise<void> {
  const record = await target.record()
  if (record?.mark === (await source.mark())) return
  throw new MoveError({ kind: 'changed', place: source.location })
}

type Report = Pick<MoveOptions, 'signal' | 'onProgress'>

async function copyAll(
  source: MoveSource,
  target: MoveTarget,
  tables: readonly MovedTable[],
  report: Report,
): Promise<void> {
  const counts = []
  for (const table of tables) counts.push(await source.count(table))
  const add = counter('copying', sumOf(counts), report)
  for (const table of tables) {
    const before = (await target.progress(table)) ?? { rows: 0, isDone: false }
    add(before.rows)
    if (before.isDone) continue
    let { rows, last } = before
    await source.read(table, last, async (batch, end) => {
      rows += batch.length
      last = end
      await target.write(table, batch, { rows, last, isDone: false })
      add(batch.length)
    })
    await target.write(table, [], { rows, ...(last && { last }), isDone: true })
  }
}

/** Compares both sides, each read from the beginning. Returns the rows of each table. */
async function verify(
  source: MoveSource,
  target: MoveTarget,
  tables: readonly MovedTable[],
  report: Report,
): Promise<MoveResult['tables']> {
  const place = target.location
  const counted = []
  for (const table of tables) {
    const [rows, expected] = [await target.count(table), await source.count(table)]
    if (rows !== expected) {
      throw new MoveError({ kind: 'mismatch', place, table: table.name, rows, expected })
    }
    counted.push({ table: table.name, rows })
  }
  const add = counter('verifying', 2 * sumOf(counted.map(({ rows }) => rows)), report)
  for (const table of tables) {
    const expected = await digestOf(source, table, add)
    const found = await digestOf(target, table, add)
    if (found.rows === expected.rows && found.sum === expected.sum) continue
    const [rows, all] = [found.rows, expected.rows]
    throw new MoveError({ kind: 'mismatch', place, table: table.name, rows, expected: all })
  }
  const [devices, expected] = [await target.devices(), await source.devices()]
  if (JSON.stringify(devices) !== JSON.stringify(expected)) {
    const [rows, all] = [devices, expected].map((apps) => sumOf(apps.map((app) => app.devices)))
    const counts = { rows: rows ?? 0, expected: all ?? 0 }
    throw new MoveError({ kind: 'mismatch', place, table: 'devices', ...counts })
  }
  const cells = await target.miscounted()
  if (cells > 0) throw new MoveError({ kind: 'miscounted', place: source.location, cells })
  return counted
}

function counter(phase: MoveProgress['phase'], total: number, { signal, onProgress }: Report) {
  let done = 0
  return (rows: number) => {
    done += rows
    onProgress?.({ phase, done, total })
    signal?.throwIfAborted()
  }
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

async function openSource(place: MovePlace): Promise<MoveSource> {
  if (place.kind === 'folder') return await openSqliteSource(resolve(place.folder))
  const { openPostgresSource } = await import('./postgres-source.ts')
  return await openPostgresSource(place.url)
}

async function openTarget(place: MovePlace): Promise<MoveTarget> {
  if (place.kind === 'folder') return openSqliteTarget(resolve(place.folder))
  const { openPostgresTarget } = await import('./postgres-target.ts')
  return await openPostgresTarget(place.url)
}
