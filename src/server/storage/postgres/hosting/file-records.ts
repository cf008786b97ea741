import type { FileRecord, FileRecords, SharedFile } from '../../../hosting/shared/records.ts'
import { StorageError } from '../../interface/storage-error.ts'
import type { Changes } from '../changes/changes.ts'
import type { PostgresDatabase } from '../connection/database.ts'
import type { Queries } from '../connection/queries.ts'
import { CHANNEL, FILES } from '../transactions/parts.ts'

/** The class of the locks of files in a database: the bytes of "file". */
const CLASS = 0x66696c65
/** Milliseconds between two statements of a transaction that waits for a bucket: the database ends those that are idle. */
const AWAKE = 1_000

const SELECT = 'SELECT sha512, name, size, stored_at AS "storedAt", key, lost FROM stored_files'
const SQL = {
  claim: 'INSERT INTO files_place (one, place) VALUES (1, $1) ON CONFLICT DO NOTHING',
  place: 'SELECT place FROM files_place FOR UPDATE',
  // A node that has just started has no lease yet, and one that was killed has its own for a while.
  others: `SELECT id FROM nodes JOIN leases ON node = id WHERE ended_at IS NULL AND id <> $1
    AND greatest(lease_until, started_at) > clock_timestamp() - interval '1 minute' LIMIT 1`,
  move: 'UPDATE files_place SET place = $1',
  forget: 'DELETE FROM stored_files; DELETE FROM uploads',
  lock: `SELECT pg_advisory_xact_lock(${CLASS}, hashtext($1))`,
  list: SELECT,
  get: `${SELECT} WHERE sha512 = $1`,
  put: `INSERT INTO stored_files (sha512, name, size, stored_at, key) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (sha512) DO UPDATE SET name = excluded.name, size = excluded.size,
      stored_at = excluded.stored_at, key = excluded.key, lost = false`,
  setLost: 'UPDATE stored_files SET lost = true WHERE sha512 = $1',
  remove: 'DELETE FROM stored_files WHERE sha512 = $1',
  // Nodes hear of it once the transaction is committed.
  notify: `SELECT pg_notify('${CHANNEL}', '${FILES}')`,
} as const

/** Returns the files that all nodes know, in PostgreSQL. `node`: returns the ID of this node. */
export function postgresFileRecords(
  database: PostgresDatabase,
  changes: Changes,
  node: () => number,
): FileRecords & Required<Pick<FileRecords, 'watch'>> {
  return {
    async claim(place, shown) {
      await database.transaction(async (tx) => {
        await tx.run(SQL.claim, [place])
        const known = await tx.row<{ place: string }>(SQL.place)
        if (known?.place === place) return
        if ((await tx.row(SQL.others, [node()])) !== undefined) {
          const circumstance = { kind: 'files_elsewhere' } as const
          throw new StorageError({ code: 'locked', file: shown, circumstance })
        }
        await tx.run(SQL.move, [place])
        await tx.run(SQL.forget)
      })
    },
    list: () => database.rows<SharedFile>(SQL.list),
    watch: (onChange) => changes.watch('files', onChange),
    exclusively: (sha512, work) =>
      database.transaction(async (tx) => {
        await tx.run(SQL.lock, [sha512])
        const timer = setInterval(() => void tx.run('SELECT 1').catch(() => {}), AWAKE)
        try {
          return await work(recordOf(tx, sha512))
        } finally {
          clearInterval(timer)
        }
      }),
  }
}

function recordOf(tx: Queries, sha512: string): FileRecord {
  return {
    get: () => tx.row<SharedFile>(SQL.get, [sha512]),
    async put({ name, size, storedAt, key }) {
      await tx.run(SQL.put, [sha512, name, size, Math.round(storedAt), key])
      await tx.run(SQL.notify)
    },
    async setLost() {
      await tx.run(SQL.setLost, [sha512])
      await tx.run(SQL.notify)
    },
    async remove() {
      await tx.run(SQL.remove, [sha512])
      await tx.run(SQL.notify)
    },
  }
}
