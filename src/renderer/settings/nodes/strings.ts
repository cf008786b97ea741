import type { ConsoleNode } from '../../../shared/console/settings/status.ts'
import {
  formatCount,
  formatCounted,
  formatDuration,
  formatList,
  formatSize,
  formatSpan,
} from '../../../shared/wording/format.ts'

export const text = {
  title: 'Nodes',
  count: (nodes: number) => formatCounted(nodes, 'node'),
  columns: {
    node: 'Node',
    version: 'Version',
    lease: 'Lease',
    load: 'Load',
    tasks: 'Tasks',
  },
  started: 'Started',
  own: 'This page',
  noAddress: 'Not listening yet',
  empty: 'No nodes yet. Each server that you start on this database appears here.',

  leaseOk: 'OK',
  leaseEnds: (milliseconds: number) =>
    `Ends in ${formatDuration(Math.max(1, Math.round(milliseconds / 1_000)), 'second')}`,
  leaseEnded: 'Ended',
  current: 'Up to date',
  behind: (changes: number) => `${formatCounted(changes, 'change')} behind`,

  rate: (perSecond: number) =>
    `${formatCount(perSecond < 10 ? Math.round(perSecond * 10) / 10 : Math.round(perSecond))} check-ins/s`,
  queued: (count: number) => `${formatCount(count)} queued`,
  lost: (count: number) => `${formatCount(count)} lost`,
  memory: (bytes: number) => formatSize(bytes),
  delay: (milliseconds: number) => `${formatCount(Math.round(milliseconds))} ms delay`,
  unknown: 'Unknown',
  noTasks: 'None',

  disconnected: 'This list is from before the connection was lost.',
  stale: (age: number) =>
    `The database does not respond. This list is from ${formatSpan(Math.max(1, Math.round(age / 1_000)))} ago.`,
  withoutLease: (names: readonly string[]) =>
    `${formatList(names)} ${names.length === 1 ? 'has' : 'have'} no lease: update checks there get no update. Check the connection to the database.`,
  lostOn: (names: readonly string[]) =>
    `Check-ins were lost on ${formatList(names)}. The log there has the reason.`,
  differentFiles:
    'Nodes have different settings for stored files. Start all of them with the same folder or bucket.',
  versions: (versions: readonly string[]) =>
    `Nodes run different versions: ${formatList(versions)}. Finish the upgrade on all nodes.`,
} as const

/** The tasks that one node does for all. */
export const TASKS: Readonly<Record<ConsoleNode['leads'][number], string>> = {
  fleet_jobs: 'Data retention',
  backups: 'Backups',
  change_requests: 'Expiring requests',
  outbox: 'Webhooks and email',
  proving: 'Artifact checks',
  plans: 'Rollout plans',
  hosting: 'Stored files',
}
