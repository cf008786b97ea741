import { z } from 'zod'
import { SERVER_DEFAULTS } from '../shared/server-defaults.ts'

const perMinute = z.int('must be a whole number').min(0, 'must not be negative')
const wholeDays = z.int('must be a whole number').min(0, 'must not be negative')

/** All that a server needs to know. Limits are requests a minute, 0 for none. */
export const ServerConfig = z.strictObject({
  /** Where the database is; created where it is missing. */
  dataFolder: z.string().min(1),
  host: z.string().min(1).default(SERVER_DEFAULTS.host),
  /** 0 takes any port that is free. */
  port: z
    .int('must be a whole number')
    .min(0, 'must be 0 to 65535')
    .max(65_535, 'must be 0 to 65535')
    .default(SERVER_DEFAULTS.port),
  limits: z
    .strictObject({
      /** Per client address: everything that needs no key, except health. */
      device: perMinute.default(SERVER_DEFAULTS.limits.device),
      /** Per key. */
      key: perMinute.default(SERVER_DEFAULTS.limits.key),
      /** Per client address: refused keys. */
      rejectedKey: perMinute.default(SERVER_DEFAULTS.limits.rejectedKey),
    })
    .prefault({}),
  /** Limits for callers without a key. Beyond them, checks are still answered. */
  budgets: z
    .strictObject({
      /** Per app: combinations of version, platform and arch that no release and no key names. */
      combinations: z
        .int('must be a whole number')
        .min(0, 'must be 0 to 100000')
        .max(100_000, 'must be 0 to 100000')
        .default(SERVER_DEFAULTS.budgets.combinations),
      /** New devices per hour and address (IPv6: /64), 0 for no limit. */
      newDevices: z
        .int('must be a whole number')
        .min(0, 'must not be negative')
        .default(SERVER_DEFAULTS.budgets.newDevices),
      /** UTF-8 bytes of the keys and values of a device's labels, with or without a key. */
      labelBytes: z
        .int('must be a whole number')
        .min(256, 'must be 256 to 65536')
        .max(65_536, 'must be 256 to 65536')
        .default(SERVER_DEFAULTS.budgets.labelBytes),
      /** Minimum free MiB on the disk of the data folder for them to add rows, 0 for no limit. */
      minFreeDiskMiB: z
        .int('must be a whole number')
        .min(0, 'must not be negative')
        .default(SERVER_DEFAULTS.budgets.minFreeDiskMiB),
    })
    .prefault({}),
  /** Maximum open connections. An address can have a tenth of them. */
  maxConnections: z
    .int('must be a whole number')
    .min(10, 'must be 10 to 1000000')
    .max(1_000_000, 'must be 10 to 1000000')
    .default(SERVER_DEFAULTS.maxConnections),
  /** Proxies whose `X-Forwarded-For` counts: addresses, ranges, `loopback`, `linklocal`, `uniquelocal`. */
  trustProxy: z.array(z.string().min(1)).default([]),
  /** Days that check-ins are kept; 0 means forever. Counters are always kept forever. */
  keepCheckInDays: wholeDays.default(SERVER_DEFAULTS.keepCheckInDays),
  /** Days since last seen after which a device is deleted, 0 for never. Adoption history stays. */
  keepDeviceDays: wholeDays.default(SERVER_DEFAULTS.keepDeviceDays),
  /** The same for devices seen only once, without a key; 0 treats them as the others. */
  keepSeenOnceDays: wholeDays.default(SERVER_DEFAULTS.keepSeenOnceDays),
  /** Files in PEM. */
  tls: z.strictObject({ certFile: z.string().min(1), keyFile: z.string().min(1) }).optional(),
  backups: z
    .strictObject({
      /** Hours between two copies, 0 for none unless somebody asks for one. */
      everyHours: z
        .int('must be a whole number')
        .min(0, 'must be 0 to 8760')
        .max(8_760, 'must be 0 to 8760')
        .default(SERVER_DEFAULTS.backups.everyHours),
      /** Copies that are kept; the oldest goes when there is one more. */
      keep: z
        .int('must be a whole number')
        .min(1, 'must be 1 to 1000')
        .max(1_000, 'must be 1 to 1000')
        .default(SERVER_DEFAULTS.backups.keep),
      /** `backups` in the data folder where it is left out. */
      folder: z.string().min(1, 'must not be empty').optional(),
    })
    .prefault({}),
})
export type ServerConfig = z.output<typeof ServerConfig>
export type ServerConfigInput = z.input<typeof ServerConfig>
