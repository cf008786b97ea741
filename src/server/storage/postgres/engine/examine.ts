import { dayName, dayOf } from '../../../fleet/time.ts'
import { listedNode } from '../../../runtime/cluster/nodes.ts'
import type { StorageSpace } from '../../interface/engine.ts'
import type { DoctorReport, Finding } from '../../interface/findings.ts'
import { historyChecks } from '../../shared/history-checks.ts'
import type { PostgresDatabase } from '../connection/database.ts'
import { storageError } from '../connection/errors.ts'
import type { Queries } from '../connection/queries.ts'
import { firstIdOf } from '../fleet/ingest/id-blocks.ts'
import { partitionsOf } from '../fleet/upkeep/partitions.ts'
import { SCHEMA } from '../migrations/index.ts'
import { usableState } from '../migrations/usable-state.ts'
import { behindOf, liveNodes } from '../nodes/live-nodes.ts'

const SPACE_SQL = {
  size: `SELECT pg_database_size(current_database()) AS bytes,
    has_function_privilege('pg_ls_waldir()', 'EXECUTE') AS "seesLog"`,
  // Of all databases of the server.
  log: 'SELECT coalesce(sum(size), 0) AS bytes FROM pg_ls_waldir()',
} as const

/**
 * Reads the size of the database, and that of the write-ahead log where the role may see it, as members of `pg_monitor` do.
 * Free space is nothing that PostgreSQL tells. Rejects with `StorageError`.
 */
export async function readSpace(queries: Queries): Promise<StorageSpace> {
  const size = await queries.row<{ bytes: number; seesLog: boolean }>(SPACE_SQL.size)
  const log =
    size?.seesLog === true ? await queries.row<{ bytes: number }>(SPACE_SQL.log) : undefined
  return { databaseBytes: size?.bytes ?? 0, logBytes: log?.bytes, freeBytes: undefined }
}

const CHECKS = historyChecks({
  states: 'devices',
  device: 'id',
  // Of one day, ids of different nodes tell no order; and their clocks may differ about midnight.
  outOfOrder: `device <> 0
    AND (previous = id OR previous / ${firstIdOf(1)} > id / ${firstIdOf(1)} + 1)`,
})

/**
 * Returns what is wrong with the chains of check-ins and profile changes, and with counters. This affects only the history:
 * decisions do not use it. Reads every row, in the snapshot of `queries`.
 */
async function historyIssues(queries: Queries): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [issue, sql] of CHECKS) {
    const count = (await queries.row<{ rows: number }>(sql))?.rows ?? 0
    if (count > 0) findings.push({ level: 'warning', code: 'history', issue, count })
  }
  return findings
}

/** Bytes of the write-ahead log that a slot may keep. */
const LARGE_LOG = 1_024 ** 3
/** Rows up to which a table is counted, by its estimate. */
const COUNTED = 1_000_000

const SQL = {
  readOnly: `SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean
    AS "isReadOnly"`,
  // The partitions are part of their table.
  tables: `SELECT relname::text AS name, CASE relkind WHEN 'p' THEN (
        SELECT coalesce(sum(greatest(part.reltuples, 0)), 0) FROM pg_inherits
          JOIN pg_class AS part ON part.oid = inhrelid WHERE inhparent = pg_class.oid
      ) ELSE greatest(reltuples, 0) END::bigint AS estimate
    FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
    WHERE nspname = current_schema() AND relkind IN ('r', 'p') AND NOT relispartition
    ORDER BY relname`,
  stale: `SELECT count(*) AS nodes FROM nodes JOIN leases ON node = id
    WHERE ended_at IS NULL
      AND greatest(lease_until, seen_at) < clock_timestamp() - interval '1 minute'`,
  slots: `SELECT slot_name::text AS slot,
      pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)::bigint AS bytes
    FROM pg_replication_slots WHERE NOT active AND restart_lsn IS NOT NULL`,
} as const

/**
 * Examines a database without changing it; nodes may run. Reads every row of the history once, which takes minutes for tens
 * of gigabytes. Never rejects because of the state of the database, which is what the report describes.
 */
export async function examine(database: PostgresDatabase): Promise<DoctorReport> {
  const findings: Finding[] = []
  let version: number | undefined
  let rows: Record<string, number> = {}
  let nodes: DoctorReport['nodes']
  let space: StorageSpace = { databaseBytes: 0, logBytes: undefined, freeBytes: undefined }
  try {
    space = await readSpace(database)
    version = (await usableState(database)).number
    if (version === 0) findings.push({ level: 'error', code: 'empty' })
    else {
      findings.push(...(await findingsOf(database, version)))
      rows = await countRows(database)
      if (version === SCHEMA) nodes = await listedNodes(database)
    }
  } catch (error) {
    const { problem } = storageError(error, database.location)
    findings.push({ level: 'error', code: 'unreadable', problem })
  }
  const ok = findings.every(({ level }) => level !== 'error')
  const { location: file } = database
  return { ok, findings, file, version, expectedVersion: SCHEMA, ...space, rows, nodes }
}

async function findingsOf(database: PostgresDatabase, version: number): Promise<Finding[]> {
  const findings: Finding[] = []
  const reading = await database.row<{ isReadOnly: boolean }>(SQL.readOnly)
  if (reading?.isReadOnly === true) findings.push({ level: 'error', code: 'read_only' })
  else findings.push(...(await idleSlots(database)))
  if (version < SCHEMA) {
    return [...findings, { level: 'warning', code: 'outdated', version, expected: SCHEMA }]
  }
  const stale = (await database.row<{ nodes: number }>(SQL.stale))?.nodes ?? 0
  if (stale > 0) findings.push({ level: 'warning', code: 'stale_nodes', count: stale })
  const days = await missingDays(database)
  if (days.length > 0) findings.push({ level: 'warning', code: 'partitions', days })
  const history = await database.transaction((tx) => historyIssues(tx), { snapshot: true })
  return [...findings, ...history]
}

async function listedNodes(queries: Queries): Promise<DoctorReport['nodes']> {
  const nodes = await liveNodes(queries)
  return nodes.map((node) => listedNode({ ...node, behind: behindOf(node) }))
}

async function idleSlots(queries: Queries): Promise<Finding[]> {
  const slots = await queries.rows<{ slot: string; bytes: number }>(SQL.slots)
  return slots
    .filter(({ bytes }) => bytes > LARGE_LOG)
    .map(({ slot, bytes }) => ({ level: 'warning', code: 'idle_slot', slot, bytes }) as const)
}

/** Today and tomorrow. A database that no server has used yet has no partition. */
async function missingDays(queries: Queries): Promise<string[]> {
  const there = new Set(await partitionsOf(queries))
  if (there.size === 0) return []
  const today = dayOf(Date.now())
  return [today, today + 1].filter((day) => !there.has(day)).map(dayName)
}

async function countRows(queries: Queries): Promise<Record<string, number>> {
  const rows: Record<string, number> = {}
  const tables = await queries.rows<{ name: string; estimate: number }>(SQL.tables)
  for (const { name, estimate } of tables) {
    rows[name] = estimate > COUNTED ? estimate : await countOf(queries, name)
  }
  return rows
}

async function countOf(queries: Queries, table: string): Promise<number> {
  const counted = await queries.row<{ rows: number }>(`SELECT count(*) AS rows FROM "${table}"`)
  return counted?.rows ?? 0
}
