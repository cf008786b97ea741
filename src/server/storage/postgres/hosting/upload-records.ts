import type { SharedUpload, UploadRecords } from '../../../hosting/shared/records.ts'
import { PROGRESS, STALLED_AFTER } from '../../../hosting/uploads/shares.ts'
import type { PostgresDatabase } from '../connection/database.ts'

/** The lock of those who begin an upload: the bytes of "upld". */
const BEGINNING = 0x75706c64

const SELECT = `SELECT id, owner, name, size, announced AS sha512, arrived AS "offset",
  touched_at AS "touchedAt", file FROM uploads`
const SQL = {
  lock: `SELECT pg_advisory_xact_lock(${BEGINNING})`,
  list: `${SELECT} WHERE file IS NULL`,
  find: `${SELECT} WHERE id = $1`,
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
    list: () => database.rows<SharedUpload>(SQL.list),
    find: (id) => database.row<SharedUpload>(SQL.find, [id]),
    async create(upload, allow) {
      const { id, owner, name, size, sha512, touchedAt } = upload
      await database.transaction(async (tx) => {
        await tx.run(SQL.lock)
        const others = await tx.rows<SharedUpload>(SQL.list)
        await allow([...others, upload])
        await tx.run(SQL.create, [id, owner, name, size, sha512, touchedAt])
      })
    },
    add: async (id, { start, size, name }, now) =>
      (await database.run(SQL.add, [id, start, size, name, now])) === 1,
    async pieces(id) {
      return (await database.rows<{ name: string }>(SQL.pieces, [id])).map(({ name }) => name)
    },
    async known(names) {
      const found = await database.rows<{ name: string }>(SQL.known, [names])
      return new Set(found.map(({ name }) => name))
    },
    async finish(id, sha512) {
      await database.run(SQL.finish, [id, sha512])
    },
    async remove(id) {
      await database.run(SQL.remove, [id])
    },
    async idle(since) {
      return (await database.rows<{ id: string }>(SQL.idle, [since])).map(({ id }) => id)
    },
  }
}
