import { resolve } from 'node:path'
import { z } from 'zod'
import { sha512InHex } from '../../../../shared/artifacts/sha512.ts'
import { hostedNameAt } from '../../../../shared/files/hosted-file.ts'
import type { StorageProblem } from '../../../../shared/operation/storage-problem.ts'
import type { NamedFile, ReleaseName } from '../../interface/backups.ts'
import { type Connection, withPlainConnection } from '../database.ts'
import { backupDatabase } from './backup.ts'
import { compareCopy, inspectCopy } from './inspect.ts'
import { checkBackup, stageBackup } from './staging.ts'

interface Row extends ReleaseName {
  readonly url: string
  readonly sha512: string
}

const PLACES = 'JOIN channels c ON c.key = n.channel_key JOIN apps a ON a.key = n.app_key'
/** By the table that each needs: backups of earlier versions lack some. Those published last come first. */
const NAMED = {
  artifacts: `SELECT a.ref AS app, c.name AS channel, n.version, t.url, t.sha512
    FROM releases n ${PLACES} JOIN artifacts t ON t.release_id = n.id
    ORDER BY n.created_at DESC, n.id DESC`,
  drafts: `SELECT a.ref AS app, c.name AS channel, n.version, t.value ->> 'url' AS url,
      t.value ->> 'sha512' AS sha512
    FROM drafts n ${PLACES}, json_each(n.artifacts) t`,
  change_requests: `SELECT a.ref AS app, c.name AS channel, n.version, t.value ->> 'url' AS url,
      t.value ->> 'sha512' AS sha512
    FROM change_requests n ${PLACES}, json_each(n.change, '$.artifacts') t
    WHERE n.state = 'open'`,
} as const
const HAS_TABLE = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?"

/**
 * Returns what names files of the server that wrote a backup: releases, drafts, and releases that wait for approval.
 * Changes nothing. Throws `StorageError` if the backup cannot be read.
 */
function filesNamedIn(path: string): NamedFile[] {
  const file = resolve(path)
  checkBackup(file)
  // Not read-only: SQLite would leave files beside a copy that has a write-ahead log.
  return withPlainConnection(file, { readonly: false }, (database) => {
    database.pragma('query_only = ON')
    database.pragma('trusted_schema = OFF')
    return Object.entries(NAMED).flatMap(([table, sql]) => namedBy(database, table, sql))
  })
}

function namedBy(database: Connection, table: string, sql: string): NamedFile[] {
  if (database.prepare(HAS_TABLE).get(table) === undefined) return []
  const rows = database.prepare<[], Row>(sql).all()
  return rows.flatMap(({ app, channel, version, url, sha512 }) => {
    const hash = sha512InHex(Text.parse(sha512))
    const name = hostedNameAt(Text.parse(url), hash)
    return name === undefined ? [] : [{ sha512: hash, name, release: { app, channel, version } }]
  })
}

/** What JSON lacks is no address. */
const Text = z.string().catch('')

/** Work about a copy of a database, plain data for a thread. */
export interface BackupTask {
  readonly name: keyof typeof BACKUP_WORK
  /** The file of the copy, which is made or read. */
  readonly copy: string
  /** The data folder of the server. */
  readonly folder: string
}

export type BackupAnswer = { readonly value: unknown } | { readonly problem: StorageProblem }

interface Files {
  readonly copy: string
  readonly folder: string
}

/** What is done on a thread, by name. */
export const BACKUP_WORK = {
  make: ({ copy, folder }: Files, signal: AbortSignal) => backupDatabase(folder, copy, { signal }),
  inspect: ({ copy }: Files) => inspectCopy(copy),
  files: ({ copy }: Files) => filesNamedIn(copy),
  compare: ({ copy, folder }: Files) => compareCopy(copy, folder),
  stage: ({ copy, folder }: Files) => stageBackup(folder, copy),
}

export type BackupWork = typeof BACKUP_WORK
