import { z } from 'zod'
import { CertificateState } from '../../operation/certificate.ts'
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
