import { z } from 'zod'
import { Timestamp } from '../../names.ts'

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
