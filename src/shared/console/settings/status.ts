import { z } from 'zod'
import { mapEach } from '../../basics/map-each.ts'
import { Timestamp } from '../../names.ts'
import { CertificateState } from '../../operation/certificate.ts'
import { SERVER_NUMBERS } from '../../operation/server-numbers.ts'
import { DatabaseTrouble } from '../../operation/storage-problem.ts'

/** What every screen shows about the server, to those who have a role on it; null for all others. */
export const ServerStatus = z.strictObject({
  /** What happened to the database's files since the start; null if they are in place. */
  database: DatabaseTrouble.nullable(),
  /** The certificate that the server uses; null without TLS. */
  certificate: CertificateState.nullable(),
})

/** The server that the page belongs to, for the person who reports a bug. */
export const ServerAbout = z.strictObject({
  version: z.string(),
  node: z.string(),
  /** Operating system and processor architecture, as Node names them. */
  platform: z.string(),
  /** Null for everyone but administrators of the server. */
  dataFolder: z.string().nullable(),
})

const number = () => z.int()
const { limits, budgets, connections, retention, backups, hosting } = SERVER_NUMBERS

/** The settings with which a server was started, without secrets. Groups and units are those of `SERVER_NUMBERS`. */
export const SettingsInUse = z.strictObject({
  host: z.string(),
  console: z.enum(['off', 'loopback', 'lan']),
  trustProxy: z.array(z.string()),
  limits: z.strictObject(mapEach(limits, number)),
  budgets: z.strictObject(mapEach(budgets, number)),
  connections: z.strictObject(mapEach(connections, number)),
  retention: z.strictObject(mapEach(retention, number)),
  backups: z.strictObject(mapEach(backups, number)),
  /** Null if the server stores no files. */
  hosting: z.strictObject(mapEach(hosting, number)).nullable(),
})
export type SettingsInUse = z.infer<typeof SettingsInUse>

const Amount = z.number().nullable()

/** A server on the same database. What it does not tell is null. */
export const ConsoleNode = z.strictObject({
  id: z.int(),
  name: z.string(),
  version: z.string(),
  /** Null until it listens. */
  address: z.string().nullable(),
  startedAt: Timestamp,
  /** It answers this page. */
  own: z.boolean(),
  /** Milliseconds that it may still serve without a renewal; 0 while it may not. */
  leaseLeft: z.number(),
  /** Changes that it does not serve yet. */
  behind: z.int(),
  leads: z.array(
    z.enum(['fleet_jobs', 'backups', 'change_requests', 'outbox', 'proving', 'plans', 'hosting']),
  ),
  /** Check-ins per second. */
  checkInRate: Amount,
  /** Check-ins waiting to be written. */
  queued: Amount,
  /** Check-ins lost since it started. */
  lost: Amount,
  /** In bytes. */
  memory: Amount,
  /** The longest that its event loop was late in the last seconds, in milliseconds. */
  delay: Amount,
  /** Where it stores files. */
  files: z.enum(['folder', 'bucket']).nullable(),
})
export type ConsoleNode = z.infer<typeof ConsoleNode>

export const NodesView = z.strictObject({
  nodes: z.array(ConsoleNode),
  /** Milliseconds since the database answered with them. */
  age: z.number(),
  /** It does not answer since. */
  failing: z.boolean(),
})
export type NodesView = z.infer<typeof NodesView>
