import { labelsFromText, labelsToText } from '../postgres/fleet/ingest/stored-labels.ts'
import { sortedLabels } from './differences.ts'
import type { GivenOut, Row, Value } from './side.ts'
import type { MovedTable } from './tables.ts'

/** How a table is read and written in PostgreSQL. */
export interface PostgresTable {
  /** Expressions for the columns of the moved table, in their order. */
  readonly select: readonly string[]
  /** The table that is read, with its alias. */
  readonly from: string
  /** Columns of the moved table that are its key here, and what comes before them in a statement. */
  readonly key: readonly string[]
  readonly alias: string
  /** After the conditions. */
  readonly group: string
  /** What is inserted, in this order. */
  readonly writes: readonly PostgresWrite[]
  fromStored(row: Row): Row
}

export interface PostgresWrite {
  readonly table: string
  readonly columns: readonly string[]
  /** Columns that have the same value in every row. */
  readonly fixed: Readonly<Record<string, string>>
  /** Returns the values of these columns; undefined for no row. */
  values(row: Row): Row | undefined
}

type Special = Partial<Omit<PostgresTable, 'writes'>> & {
  readonly writes?: (table: MovedTable) => PostgresWrite[]
}

/** Counters have a row for each slot. Slot 0 is that of no node. */
function counter(group: string, isCell = true): Special {
  return {
    group: `GROUP BY ${group}${isCell ? ' HAVING sum(devices) > 0' : ''}`,
    writes: (table) => [{ ...write(table, table.columns), fixed: { slot: '0' } }],
  }
}

const PREVIOUS = `coalesce((SELECT p.id FROM profile_changes p
  WHERE p.device = c.device AND (p.at, p.id) < (c.at, c.id) ORDER BY p.at DESC, p.id DESC LIMIT 1), 0)`

const SPECIAL: Readonly<Record<string, Special>> = {
  devices: {
    select: [
      ...['d.id', 'app_key', 'device_id', "coalesce(labels::text, '{}')", 'first_seen', 'keyed'],
      ...['profile', 'last_seen', 'last_check_in', 'last_change', 'episode', 'offered_at'],
      'evidence',
    ],
    from: 'devices d LEFT JOIN device_labels ON device = d.id',
    alias: 'd.',
    writes: (table) => {
      const columns = table.columns.filter((column) => column !== 'labels')
      return [write(table, columns), labelsOf(table)]
    },
    fromStored: (row) =>
      row[3] === '{}' ? row : row.with(3, sortedLabels(labelsFromText(String(row[3])))),
  },
  profile_changes: {
    select: ['c.id', 'c.device', 'c.at', 'c.profile', PREVIOUS],
    from: 'profile_changes c',
    key: ['device', 'id'],
    alias: 'c.',
    writes: (table) => [
      write(
        table,
        table.columns.filter((column) => column !== 'previous'),
      ),
    ],
  },
  adoption: { ...counter('profile, day'), select: ['profile', 'day', 'sum(devices)'] },
  hourly_adoption: { ...counter('profile, hour'), select: ['profile', 'hour', 'sum(devices)'] },
  presence: { ...counter('profile, day'), select: ['profile', 'day', 'sum(devices)'] },
  release_counts: { ...counter('release, cell'), select: ['release', 'cell', 'sum(devices)'] },
  traffic: {
    ...counter('channel_key, hour', false),
    select: ['channel_key', 'hour', 'sum(check_ins)', 'sum(anonymous)', 'sum(offers)'],
  },
  set_aside: {
    select: ['id', 'at', 'batch', "'node ' || node", 'facts', 'reason'],
    writes: (table) => {
      const columns = ['id', 'at', 'batch', 'reason', 'facts']
      const values = ([id, at, batch, statement, row, reason]: Row): Row => {
        return [id, at, batch, reason, JSON.stringify({ statement, row })].map(orNull)
      }
      return [{ table: table.name, columns, fixed: { node: '0' }, values }]
    },
    fromStored: ([id, at, batch, statement, facts, reason]) => {
      const moved = JSON.parse(String(facts))
      const isOfSqlite = typeof moved.statement === 'string' && typeof moved.row === 'string'
      const kept = isOfSqlite ? [moved.statement, moved.row] : [statement, facts]
      return [id, at, batch, ...kept, reason].map(orNull)
    },
  },
}

export function postgresTable(table: MovedTable): PostgresTable {
  const special = SPECIAL[table.name] ?? {}
  return {
    ...{ select: table.columns, from: table.name, key: table.key, alias: '', group: '' },
    fromStored: (row) => row,
    ...special,
    writes: special.writes?.(table) ?? [write(table, table.columns)],
  }
}

function write(table: MovedTable, columns: readonly string[]): PostgresWrite {
  const places = columns.map((column) => table.columns.indexOf(column))
  const values = (row: Row) => places.map((place) => row[place] ?? null)
  return { table: table.name, columns, fixed: {}, values }
}

function labelsOf(table: MovedTable): PostgresWrite {
  const [id, labels] = ['id', 'labels'].map((column) => table.columns.indexOf(column))
  const values = (row: Row): Row | undefined => {
    const text = String(row[labels ?? -1])
    return text === '{}' ? undefined : [row[id ?? -1] ?? null, labelsToText(JSON.parse(text))]
  }
  return { table: 'device_labels', columns: ['device', 'labels'], fixed: {}, values }
}

function orNull(value: Value | undefined): Value {
  return value ?? null
}

interface Sequence {
  readonly name: keyof GivenOut
  /** An expression for its name. */
  readonly sequence: string
}

const identity = (name: keyof GivenOut, column: string): Sequence => {
  return { name, sequence: `pg_get_serial_sequence('${name}', '${column}')` }
}

/** The sequences that give out numbers. Those of devices and check-ins count blocks of them. */
export const IDENTITIES: readonly Sequence[] = [
  identity('apps', 'key'),
  identity('channels', 'key'),
  identity('api_keys', 'id'),
  identity('audit', 'id'),
  identity('profiles', 'id'),
  identity('offered_releases', 'number'),
  identity('set_aside', 'id'),
  { name: 'devices', sequence: "'device_blocks'" },
  { name: 'check_ins', sequence: "'check_in_blocks'" },
]

/** Returns an expression for the last number that was given out, 0 for none. */
export function lastValue(sequence: string): string {
  return `coalesce(pg_sequence_last_value(${sequence}::regclass), 0)`
}
