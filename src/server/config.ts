import { z } from 'zod'
import { mapEach } from '../shared/basics/map-each.ts'
import { DisplayName } from '../shared/names.ts'
import { PublicUrl } from '../shared/operation/public-url.ts'
import {
  boundedNumber,
  DEFAULT_HOST,
  SERVER_NUMBERS,
  serverNumber,
} from '../shared/operation/server-numbers.ts'
import { MailSettings } from './outbound/outbox/mail-sender.ts'
import { ProvingTimeouts } from './outbound/proving/timeouts.ts'

const { port, metricsPort, limits, budgets, connections, retention, backups, hosting } =
  SERVER_NUMBERS

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
  /** Where the database is, unless `database` names one; created if it is missing. */
  dataFolder: z.string().min(1),
  /** The connection URI of a PostgreSQL database, with its password. Without it, SQLite in the data folder. */
  database: z.string().min(1).optional(),
  /** What people call this node of a PostgreSQL database; the name of its computer by default. */
  nodeName: DisplayName.optional(),
  host: z.string().min(1).default(DEFAULT_HOST),
  /** 0 takes any port that is free. */
  port: serverNumber(port),
  limits: z.strictObject(mapEach(limits, serverNumber)).prefault({}),
  budgets: z.strictObject(mapEach(budgets, serverNumber)).prefault({}),
  ...mapEach(connections, serverNumber),
  /** Proxies whose `X-Forwarded-For` counts: addresses, ranges, `loopback`, `linklocal`, `uniquelocal`. */
  trustProxy: z.array(z.string().min(1)).default([]),
  /** Base address of the server as devices and browsers reach it, such as that of a proxy. */
  publicUrl: PublicUrl.optional(),
  ...mapEach(retention, serverNumber),
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
  /** Where metrics are answered to anyone who asks, over HTTP; nowhere by default. */
  metrics: z.strictObject({ host: z.string().min(1), port: boundedNumber(metricsPort) }).optional(),
  /** Without it, browsers get no console. */
  console: ConsoleConfig.optional(),
  /** Without it, nothing is mailed. */
  mail: MailSettings.optional(),
  webhooks: z
    .strictObject({
      /** Hosts that webhooks may name although their addresses are private, each with or without a port. */
      privateHosts: z.array(z.string().min(1)).default([]),
    })
    .prefault({}),
  push: z
    .strictObject({
      /** Whether people can have push notifications in their browsers. */
      isOffered: z.boolean().default(true),
      /** Hosts of push services beside those of browsers, each with or without a port; they may have private addresses. */
      hosts: z.array(z.string().min(1)).default([]),
    })
    .prefault({}),
  /** How artifacts are fetched to prove them. Times in milliseconds. */
  proving: z
    .strictObject({
      timeouts: ProvingTimeouts.prefault({}),
      /** Between two looks at what is due. */
      lookEvery: z.int().min(1).default(1_000),
      /** Bytes of the largest artifact that is read. */
      maxBytes: z
        .int()
        .min(1)
        .default(16 * 1_024 ** 3),
      /** DNS servers in place of the system's resolver: IP addresses, each with or without a port. */
      dnsServers: z.array(z.string().min(1)).default([]),
    })
    .prefault({}),
  /** How rollout plans are advanced. */
  plans: z
    .strictObject({
      /** Milliseconds between two looks at what is due. */
      lookEvery: z.int().min(1).default(60_000),
      /** Servers that gates may ask: by scheme, host and port, and the value of `Authorization` that each gets. */
      gateServers: z
        .array(z.strictObject({ origin: z.url(), authorization: z.string().min(1).nullable() }))
        .default([]),
    })
    .prefault({}),
  /** The files that the server keeps for devices; without it, it keeps none. */
  hosting: z
    .strictObject({
      /** Of files and unfinished uploads, or of the uploads alone. Created if it is missing. No other server may use it. */
      folder: z.string().min(1),
      /** Where the files are, if not in the folder. No other server may use what the prefix covers. */
      bucket: z
        .strictObject({
          bucket: z.string().min(1),
          /** Empty, or with a slash at its end. */
          prefix: z.string(),
          /** Of a server other than AWS; as devices reach it, too. */
          endpoint: PublicUrl.optional(),
          /** As the environment or the configuration of AWS has it by default. */
          region: z.string().min(1).optional(),
          /** Milliseconds between two looks at what is in it, and after one that failed. */
          lookEvery: z.int().min(1).default(600_000),
          lookAgain: z.int().min(1).default(30_000),
        })
        .optional(),
      /** Milliseconds for which an upload waits until its file is stored: less than proxies and clients wait. */
      storeWithin: z.int().min(1).default(20_000),
      /** As `publicUrl` of the server. */
      publicUrl: PublicUrl,
      ...mapEach(hosting, serverNumber),
    })
    .optional(),
  backups: z
    .strictObject({
      ...mapEach(backups, serverNumber),
      /** `backups` in the data folder by default. */
      folder: z.string().min(1, 'must not be empty').optional(),
    })
    .prefault({}),
})
export type ServerConfig = z.output<typeof ServerConfig>
export type ServerConfigInput = z.input<typeof ServerConfig>

/** HTTP is for a provider on this computer alone. */
function isSecure(issuer: string): boolean {
  const { protocol, hostname } = URL.parse(issuer) ?? {}
  if (hostname === undefined) return false
  return protocol === 'https:' || /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}
