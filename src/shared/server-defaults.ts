/**
 * What a server does where nothing else is chosen. `ServerConfig`, the options of `serve` and the
 * settings of the desktop app begin with it.
 */
export const SERVER_DEFAULTS = {
  host: '127.0.0.1',
  port: 8440,
  /** Requests a minute: per address, per key, and per address for refused keys. */
  limits: { device: 600, key: 600, rejectedKey: 30 },
  /** For callers without a key. */
  budgets: { combinations: 2_000, newDevices: 1_000, labelBytes: 4_096, minFreeDiskMiB: 512 },
  maxConnections: 10_000,
  keepCheckInDays: 90,
  keepDeviceDays: 400,
  keepSeenOnceDays: 30,
  /** Hours between two backups, 0 for none; and how many are kept. */
  backups: { everyHours: 0, keep: 7 },
} as const
