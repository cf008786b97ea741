import { statSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { BUSY_TIMEOUT } from './database.ts'

/** Size of the write-ahead log from which it is written back to the database. */
const PASSIVE_BYTES = 64 * 1024 * 1024
/** Size from which it is also truncated, if no reader holds it. */
const TRUNCATE_BYTES = 512 * 1024 * 1024

/**
 * Writes the write-ahead log back to the database if it has grown large. Takes over 100 ms with a large fleet,
 * so only the writer's thread does it.
 */
export function checkpointIfLarge(database: Database.Database): void {
  const bytes = statSync(`${database.name}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (bytes > TRUNCATE_BYTES) truncate(database)
  else if (bytes > PASSIVE_BYTES) database.pragma('wal_checkpoint(PASSIVE)')
}

/** A backup holds the log for minutes. Waiting for it would delay every report. */
function truncate(database: Database.Database): void {
  database.pragma('busy_timeout = 0')
  try {
    database.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    database.pragma(`busy_timeout = ${BUSY_TIMEOUT}`)
  }
}
