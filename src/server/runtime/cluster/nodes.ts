import { z } from 'zod'
import { Alarm } from '../../../shared/events/webhook.ts'
import { BucketUnavailable } from '../../../shared/files/hosted-file.ts'
import { UsedBudget } from '../../../shared/operation/budgets.ts'
import type { ListedNode } from '../../../shared/operation/readiness.ts'
import { StorageProblem } from '../../../shared/operation/storage-problem.ts'
import type { LimitStore } from '../limits/shared-buckets.ts'
import type { LeadershipName } from './leadership.ts'

const amount = z.number().nonnegative().nullable().catch(null)

const alarms = z.array(z.unknown()).transform((names) => {
  // A node of a newer version may know others.
  return Alarm.options.filter((alarm) => names.includes(alarm))
})

/** What a node tells about itself. A node of another version may leave parts out: those are null. */
export const NodeState = z.object({
  /** Check-ins per second, over the last seconds. */
  checkInRate: amount,
  /** Check-ins waiting to be written. */
  queued: amount,
  /** Check-ins lost since it started. */
  lost: amount,
  /** Memory of the process, in bytes. */
  memory: amount,
  /** The longest that its event loop was late in the last seconds, in milliseconds. */
  delay: amount,
  /** Where it keeps files; null without any. */
  files: z.enum(['folder', 'bucket']).nullable().catch(null),
  /** Somebody watches live check-ins on it, so that others send theirs. */
  watching: z.boolean().catch(false),
  /** What is wrong on it, or with the tasks that it leads. */
  alarms: alarms.catch([]),
  /** Why it could not store check-ins; null if it could. */
  telemetryFailure: StorageProblem.nullable().catch(null),
  /** Why it cannot use the bucket for a while, since a Unix time in milliseconds; null if it can, and without one. */
  bucketOutage: z.object({ facts: BucketUnavailable, since: z.number() }).nullable().catch(null),
  /** Limits that were reached on it in the last hour. */
  budgets: z.array(UsedBudget).catch([]),
})
export type NodeState = z.infer<typeof NodeState>

/** A node that has not ended. */
export interface NodeInfo {
  readonly id: number
  /** What people call it, such as its host name. */
  readonly name: string
  readonly version: string
  /** Where it is reached; null until it listens. */
  readonly address: string | null
  readonly startedAt: Date
  /** It is this process. */
  readonly own: boolean
  /** Milliseconds that it may still serve, by the clock of the database; 0 while it may not. */
  readonly leaseLeft: number
  /** How many changes it does not serve yet, of each part. */
  readonly behind: { readonly catalog: number; readonly people: number }
  /** The tasks that it led last. */
  readonly leads: readonly LeadershipName[]
  readonly state: NodeState
}

/** Returns what commands show of a node. */
export function listedNode({
  name,
  address,
  version,
  leaseLeft,
  behind,
}: Pick<NodeInfo, 'name' | 'address' | 'version' | 'leaseLeft' | 'behind'>): ListedNode {
  const lease = leaseLeft > 0 ? 'ok' : 'ended'
  return { name, address, version, lease, changesBehind: behind.catalog + behind.people }
}

/** The nodes as the database answered last. */
export interface NodeList {
  /** In the order in which they joined. */
  readonly nodes: readonly NodeInfo[]
  /** Milliseconds since that answer. */
  readonly age: number
  /** The database did not answer since. */
  readonly failing: boolean
}

/** The nodes that serve from one storage, this one included. Asking costs nothing: it is kept up to date. */
export interface Nodes {
  /** The name of this node. */
  readonly name: string
  /** Of this node: changes when it had to join again. */
  readonly id: number
  /** Milliseconds for which this node may serve without a renewal; 0 if it may not. */
  readonly leaseLeft: number
  /** What all of them have used of limits that they share. */
  readonly limits: LimitStore
  /** How many nodes serve, as far as this one knows; at least 1. */
  readonly count: number
  list(): NodeList
  /** Tells the others about this node; what is left out stays as it was. */
  report(state: Partial<NodeState>): void
  /** Sends a message of less than 8,000 bytes to the nodes that hear, this one included. Rejects if it cannot be sent. */
  send(message: string): Promise<void>
  /** Calls `onMessage` with messages until the function that it returns is called. Some may be lost. */
  hear(onMessage: (message: string) => void): () => void
  /** Calls `listener` after every answer of the database. Returns what removes the listener. */
  onListed(listener: () => void): () => void
}
