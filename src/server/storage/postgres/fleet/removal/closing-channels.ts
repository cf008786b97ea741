import type { Queries } from '../../connection/queries.ts'

/** Seconds that channels stay closed, unless they are closed again: a node that crashes does not close them for good. */
const CLOSED = 60

const SQL = {
  close: `INSERT INTO closing_channels (channel_key, until)
    SELECT key, clock_timestamp() + interval '${CLOSED} seconds' FROM channels WHERE key = ANY($1)
    ORDER BY key ON CONFLICT (channel_key) DO UPDATE SET until = excluded.until`,
  open: 'DELETE FROM closing_channels WHERE channel_key = ANY($1)',
} as const

/** Returns the condition that a channel takes check-ins. `channel`: the qualified column with its key. */
export function isOpen(channel: string): string {
  return `NOT EXISTS (SELECT 1 FROM closing_channels
    WHERE closing_channels.channel_key = ${channel} AND until > clock_timestamp())`
}

/** Lets no node begin to store a check-in of these channels for a minute. */
export async function closeChannels(queries: Queries, keys: readonly number[]): Promise<void> {
  await queries.run(SQL.close, [keys])
}

/** Opens them again. */
export async function openChannels(queries: Queries, keys: readonly number[]): Promise<void> {
  await queries.run(SQL.open, [keys])
}
