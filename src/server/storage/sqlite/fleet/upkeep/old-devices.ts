import type { DeviceRule } from '../../../../fleet/store.ts'
import type { FleetDatabase } from '../database/fleet-database.ts'
import type { FleetInMemory } from '../fleet-in-memory.ts'

/** Devices deleted per batch: a few milliseconds on the writer's thread. */
const SLICE = 500

/**
 * Deletes devices that were not seen for a long time, and then frees the numbers of deleted ones. Yields how many
 * it deleted after every slice; the next one waits until that is stored.
 */
export async function* deleteOldDevices(
  { memory, forgotten, writer }: FleetInMemory,
  database: Pick<FleetDatabase, 'read'>,
  rule: DeviceRule,
): AsyncGenerator<number, void> {
  // No number was ever assigned, so none is looked for on another thread.
  if (memory.table.highest === 0) return
  let after = 0
  do {
    const chunks = memory.table.share()
    const query = { chunks, ...rule, after, limit: SLICE }
    const { stale, next } = await database.read('staleDevices', query)
    const deleted = forgotten.forgetStale(stale)
    after = next
    yield deleted
    if (stale.length > 0) await writer.settled()
  } while (after !== 0)
  memory.reuse(await database.read('freedDevices', memory.table.share()))
}
