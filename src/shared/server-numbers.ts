/** Bounds and default of a whole number in the server's settings. */
export interface NumberBounds {
  readonly min: number
  readonly max: number
  readonly default: number
  /** The command line accepts more than `max`, which then bounds the settings of the desktop app only. */
  readonly unbounded?: true
}

/** The default address to listen on: this computer only. */
export const DEFAULT_HOST = '127.0.0.1'

/**
 * Bounds and defaults of the server's settings. `ServerConfig`, the options of `serve` and the settings
 * of the desktop app take theirs from here.
 */
export const SERVER_NUMBERS = {
  /** 0 takes any port that is free. */
  port: { min: 0, max: 65_535, default: 8_440 },
  /** As a setting, 0 is for no metrics; in the configuration of a server, it takes any port that is free. */
  metricsPort: { min: 0, max: 65_535, default: 0 },
  /** Requests per minute, 0 for no limit. */
  limits: {
    device: { min: 0, max: 1_000_000, default: 600, unbounded: true },
    key: { min: 0, max: 1_000_000, default: 600, unbounded: true },
    rejectedKey: { min: 0, max: 1_000_000, default: 30, unbounded: true },
  },
  /** For callers without a key. */
  budgets: {
    combinations: { min: 0, max: 100_000, default: 2_000 },
    newDevices: { min: 0, max: 1_000_000, default: 1_000, unbounded: true },
    labelBytes: { min: 256, max: 65_536, default: 4_096 },
    minFreeDiskMiB: { min: 0, max: 1_048_576, default: 512, unbounded: true },
  },
  maxConnections: { min: 10, max: 1_000_000, default: 10_000 },
  keepCheckInDays: { min: 0, max: 36_500, default: 90, unbounded: true },
  keepDeviceDays: { min: 0, max: 36_500, default: 400, unbounded: true },
  keepSeenOnceDays: { min: 0, max: 36_500, default: 30, unbounded: true },
  /** Files that devices download from the server, 0 for no limit. */
  hosting: {
    quotaGiB: { min: 0, max: 1_048_576, default: 0, unbounded: true },
    downloads: { min: 0, max: 100_000, default: 500, unbounded: true },
    /** Of one network: an IPv4 /24 or IPv6 /48. */
    networkDownloads: { min: 0, max: 100_000, default: 100, unbounded: true },
    /** KiB per second. */
    rate: { min: 0, max: 104_857_600, default: 0, unbounded: true },
    clientRate: { min: 0, max: 104_857_600, default: 0, unbounded: true },
  },
  backups: {
    /** Hours between two backups, 0 for none. */
    everyHours: { min: 0, max: 8_760, default: 0 },
    keep: { min: 1, max: 1_000, default: 7 },
  },
} as const satisfies Record<string, NumberBounds | Record<string, NumberBounds>>
