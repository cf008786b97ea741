import { z } from 'zod'
import { DEFAULT_HOST, SERVER_NUMBERS, serverNumber } from '../shared/server-numbers.ts'

const { port, limits, budgets, backups, maxConnections, ...days } = SERVER_NUMBERS

/** How the console is offered to browsers. */
const ConsoleConfig = z.strictObject({
  /** `loopback`: to this computer, and through trusted proxies; `lan`: to every network that the server is in. */
  mode: z.enum(['off', 'loopback', 'lan']).default('loopback'),
  /** Offers it over plain HTTP, too, where passwords and sessions can be read by others in the network. */
  plainHttp: z.boolean().default(false),
  /** Names under which it answers, beside those of this computer; lower case, without a port. */
  names: z.array(z.string().min(1)).default([]),
  /** Where the built page is, or will be. */
  pageFolder: z.string().min(1),
})
export type ConsoleConfig = z.output<typeof ConsoleConfig>

/** All that a server needs to know. Limits are requests a minute, 0 for none. */
export const ServerConfig = z.strictObject({
  /** Where the database is; created if it is missing. */
  dataFolder: z.string().min(1),
  host: z.string().min(1).default(DEFAULT_HOST),
  /** 0 takes any port that is free. */
  port: serverNumber(port),
  limits: z
    .strictObject({
      /** Per client address: everything that needs no key, except health. */
      device: serverNumber(limits.device),
      /** Per key. */
      key: serverNumber(limits.key),
      /** Per client address: refused keys. */
      rejectedKey: serverNumber(limits.rejectedKey),
    })
    .prefault({}),
  /** Limits for callers without a key. Beyond them, checks are still answered. */
  budgets: z
    .strictObject({
      /** Per app: combinations of version, platform and arch that no release and no key names. */
      combinations: serverNumber(budgets.combinations),
      /** New devices per hour and address (IPv6: /64), 0 for no limit. */
      newDevices: serverNumber(budgets.newDevices),
      /** UTF-8 bytes of the keys and values of a device's labels, with or without a key. */
      labelBytes: serverNumber(budgets.labelBytes),
      /** Minimum free MiB on the disk of the data folder for them to add rows, 0 for no limit. */
      minFreeDiskMiB: serverNumber(budgets.minFreeDiskMiB),
    })
    .prefault({}),
  /** Maximum open connections. An address can have a tenth of them. */
  maxConnections: serverNumber(maxConnections),
  /** Proxies whose `X-Forwarded-For` counts: addresses, ranges, `loopback`, `linklocal`, `uniquelocal`. */
  trustProxy: z.array(z.string().min(1)).default([]),
  /** Days that check-ins are kept; 0 means forever. Counters are always kept forever. */
  keepCheckInDays: serverNumber(days.keepCheckInDays),
  /** Days since last seen after which a device is deleted, 0 for never. Adoption history stays. */
  keepDeviceDays: serverNumber(days.keepDeviceDays),
  /** The same for devices seen only once, without a key; 0 treats them as the others. */
  keepSeenOnceDays: serverNumber(days.keepSeenOnceDays),
  /** Files in PEM. */
  tls: z.strictObject({ certFile: z.string().min(1), keyFile: z.string().min(1) }).optional(),
  /** The identity provider for single sign-on by OpenID Connect. */
  provider: z
    .strictObject({
      issuer: z.url().refine(isSecure, { message: 'must be an https address' }),
      clientId: z.string().min(1),
      clientSecret: z.string().min(1),
    })
    .optional(),
  /** Without it, browsers get no console. */
  console: ConsoleConfig.optional(),
  backups: z
    .strictObject({
      /** Hours between backups; 0 for manual backups only. */
      everyHours: serverNumber(backups.everyHours),
      /** Copies that are kept; the oldest goes when there is one more. */
      keep: serverNumber(backups.keep),
      /** `backups` in the data folder by default. */
      folder: z.string().min(1, 'must not be empty').optional(),
    })
    .prefault({}),
})
export type ServerConfig = z.output<typeof ServerConfig>
export type ServerConfigInput = z.input<typeof ServerConfig>

/** HTTP is for a provider on this computer alone. */
function isSecure(issuer: string): boolean {
  const { protocol, hostname } = new URL(issuer)
  return protocol === 'https:' || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}
