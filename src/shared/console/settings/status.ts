import { z } from 'zod'
import { mapEach } from '../../basics/map-each.ts'
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
