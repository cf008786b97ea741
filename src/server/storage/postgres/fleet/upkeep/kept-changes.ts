import { KEPT_CHANGES } from '../../../../fleet/facts.ts'
import type { PostgresDatabase } from '../../connection/database.ts'
import { retried } from './retried.ts'

/** Changes above the limit that a device may have, so that most devices with many are left alone. */
const SLACK = 25
/** Devices of one statement. */
const SLICE = 200

const SQL = {
  long: `SELECT device FROM profile_changes GROUP BY device HAVING count(*) > ${KEPT_CHANGES + SLACK}`,
  cut: `DELETE FROM profile_changes WHERE (device, id) IN (
    SELECT device, id FROM (
      SELECT device, id, row_number() OVER (PARTITION BY device ORDER BY at DESC, id DESC) AS place
      FROM profile_changes WHERE device = ANY($1::bigint[])
    ) AS ranked WHERE place > ${KEPT_CHANGES})`,
} as const

/** Cuts version histories with more than 125 changes to the newest 100. Yields after every slice. Throws `StorageError`. */
export async function* cutHistories(database: PostgresDatabase): AsyncGenerator<void, void> {
  const long = (await database.rows<{ device: number }>(SQL.long)).map(({ device }) => device)
  for (let at = 0; at < long.length; at += SLICE) {
    const devices = long.slice(at, at + SLICE)
    await retried(() => database.run(SQL.cut, [devices]))
    yield
  }
}
