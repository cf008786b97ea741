import type {
  FileRecord,
  FileRecords,
  SharedFile,
  SharedUpload,
  UploadRecords,
} from '../../../hosting/shared/records.ts'
import { PROGRESS, STALLED_AFTER } from '../../../hosting/uploads/shares.ts'
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

/** The lock of those who begin an upload: the bytes of "upld". */
const BEGINNING = 0x75706c64

const SELECT_UPLOADS = `SELECT id, owner, name, size, announced AS sha512, arrived AS "offset",
  touched_at AS "touchedAt", file FROM uploads`
const UPLOAD_SQL = {
  lock: `SELECT pg_advisory_xact_lock(${BEGINNING})`,
  list: `${SELECT_UPLOADS} WHERE file IS NULL`,
  find: `${SELECT_UPLOADS} WHERE id = $1`,
  create: `INSERT INTO uploads (id, owner, name, size, announced, touched_at)
    VALUES ($1, $2, $3, $4, $5, $6)`,
  add: `WITH grown AS (
      UPDATE uploads SET arrived = arrived + $3,
        touched_at = LEAST($5::bigint,
          GREATEST(touched_at, $5::bigint - ${STALLED_AFTER}) + $3::bigint / ${PROGRESS})
      WHERE id = $1 AND arrived = $2 AND arrived + $3 <= size RETURNING id
    ) INSERT INTO upload_pieces (upload, start, name) SELECT id, $2, $4 FROM grown`,
  pieces: 'SELECT name FROM upload_pieces WHERE upload = $1 ORDER BY start',
  known: 'SELECT name FROM upload_pieces WHERE name = ANY ($1::text[])',
  finish: `WITH done AS (UPDATE uploads SET file = $2 WHERE id = $1 RETURNING id)
    DELETE FROM upload_pieces USING done WHERE upload = done.id`,
  remove: 'DELETE FROM uploads WHERE id = $1',
  idle: 'SELECT id FROM uploads WHERE touched_at < $1 LIMIT 1000',
} as const

/**
 * Returns the uploads that all nodes know, in PostgreSQL. `record`: writes that an upload is recorded, and the entry in the
 * same transaction unless it was.
 */
export function postgresUploadRecords(
  database: PostgresDatabase,
  record: UploadRecords['record'],
): UploadRecords {
  return {
    record,
    list: () => database.rows<SharedUpload>(UPLOAD_SQL.list),
    find: (id) => database.row<SharedUpload>(UPLOAD_SQL.find, [id]),
    async create(upload, allow) {
      const { id, owner, name, size, sha512, touchedAt } = upload
      await database.transaction(async (tx) => {
        await tx.run(UPLOAD_SQL.lock)
        const others = await tx.rows<SharedUpload>(UPLOAD_SQL.list)
        await allow([...others, upload])
        await tx.run(UPLOAD_SQL.create, [id, owner, name, size, sha512, touchedAt])
      })
    },
    add: async (id, { start, size, name }, now) =>
      (await database.run(UPLOAD_SQL.add, [id, start, size, name, now])) === 1,
    async pieces(id) {
      return (await database.rows<{ name: string }>(UPLOAD_SQL.pieces, [id])).map(
        ({ name }) => name,
      )
    },
    async known(names) {
      const found = await database.rows<{ name: string }>(UPLOAD_SQL.known, [names])
      return new Set(found.map(({ name }) => name))
    },
    async finish(id, sha512) {
      await database.run(UPLOAD_SQL.finish, [id, sha512])
    },
    async remove(id) {
      await database.run(UPLOAD_SQL.remove, [id])
    },
    async idle(since) {
      return (await database.rows<{ id: string }>(UPLOAD_SQL.idle, [since])).map(({ id }) => id)
    },
  }
}
