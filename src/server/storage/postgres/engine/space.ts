import type { StorageSpace } from '../../interface/engine.ts'
import type { Queries } from '../connection/database.ts'

const SQL = {
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
  const size = await queries.row<{ bytes: number; seesLog: boolean }>(SQL.size)
  const log = size?.seesLog === true ? await queries.row<{ bytes: number }>(SQL.log) : undefined
  return { databaseBytes: size?.bytes ?? 0, logBytes: log?.bytes, freeBytes: undefined }
}
