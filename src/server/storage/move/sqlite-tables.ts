import { idInPostgres } from './differences.ts'
import type { MovedTable } from './tables.ts'

/** Where the rows of a table are read in SQLite. */
export interface SqliteRows {
  /** Expressions for the columns of the table, in their order. */
  readonly select: readonly string[]
  readonly from: string
  /** Expressions for its key. */
  readonly key: readonly string[]
}

const timeOf = (table: string, id: string) => `(SELECT at FROM ${table} WHERE id = ${id})`

/** Tables whose check-ins get their days, and devices, of which SQLite has two tables. */
const SPECIAL: Readonly<Record<string, SqliteRows>> = {
  devices: {
    select: [
      ...['d.id', 'd.app_key', 'd.device_id', 'd.labels', 'd.first_seen', 'd.keyed'],
      ...['s.profile', 's.last_seen'],
      idInPostgres('s.last_check_in', timeOf('check_ins', 's.last_check_in')),
      idInPostgres('s.last_change', timeOf('profile_changes', 's.last_change')),
      ...['s.episode', 's.offered_at', 's.evidence'],
    ],
    from: 'devices d JOIN device_states s ON s.device = d.id',
    key: ['d.id'],
  },
  check_ins: {
    select: [
      ...[idInPostgres('c.id', 'c.at'), 'c.device', 'c.at', 'c.profile', 'c.kind'],
      idInPostgres('c.previous', timeOf('check_ins', 'c.previous')),
    ],
    from: 'check_ins c',
    key: ['c.id'],
  },
  profile_changes: {
    select: [idInPostgres('c.id', 'c.at'), 'c.device', 'c.at', 'c.profile', 'c.previous'],
    from: 'profile_changes c',
    key: ['c.id'],
  },
  outcome_details: {
    select: ['release', idInPostgres('check_in', 'at'), 'device', 'at', 'detail'],
    from: 'outcome_details',
    key: ['release', 'check_in'],
  },
}

export function sqliteRows({ name, columns, key }: MovedTable): SqliteRows {
  return SPECIAL[name] ?? { select: columns, from: name, key }
}

/** An INSERT, or an UPDATE of the only row, with the columns that it takes. */
export interface SqliteWrite {
  readonly sql: string
  readonly columns: readonly string[]
}

const DEVICE = ['id', 'app_key', 'device_id', 'labels', 'first_seen', 'keyed']
const STATE = [
  ...['profile', 'last_seen', 'last_check_in', 'last_change', 'episode', 'offered_at', 'evidence'],
]

/** Returns what writes a row, in this order. */
export function sqliteWrites({ name, kind, columns }: MovedTable): SqliteWrite[] {
  if (kind === 'state') {
    const set = columns.map((column) => `${column} = ?`).join(', ')
    return [{ sql: `UPDATE ${name} SET ${set}`, columns }]
  }
  if (name !== 'devices') return [insert(name, columns)]
  const states = insert('device_states', ['device', ...STATE])
  return [insert(name, DEVICE), { ...states, columns: ['id', ...STATE] }]
}

function insert(table: string, columns: readonly string[]): SqliteWrite {
  const values = columns.map(() => '?').join(', ')
  return { sql: `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values})`, columns }
}
