/**
 * What all nodes have used of limits that they share. Written many times a second, and worth nothing after a minute, so
 * without a log: after a crash or a failover, all limits are unused.
 */
export const rateLimits = {
  number: 7,
  name: 'rate-limits',
  readableFrom: 4,
  sql: `
    CREATE UNLOGGED TABLE rate_limits (
      name text COLLATE "C" PRIMARY KEY,
      -- When the bucket is full again; in the past if it is full.
      full_at timestamptz NOT NULL
    ) WITH (fillfactor = 50)`,
}
