import type { ActionGroup } from '../../shared/console/audit.ts'
import type { ActorKind } from '../../shared/events/audit.ts'
import { formatCount, formatCounted } from '../../shared/wording/format.ts'
import type { AuditEntry } from './entry.ts'

/** By which way a change came. */
export const SOURCE_WORDS: Readonly<Record<ActorKind, string>> = {
  console: 'Console',
  command_line: 'Command line',
  key: 'API key',
  person: 'Person',
  server: 'Server',
}

/** What a change was about. */
export const GROUP_WORDS: Readonly<Record<ActionGroup, string>> = {
  release: 'Releases',
  artifact: 'Artifacts',
  channel: 'Channels',
  app: 'Apps',
  key: 'API keys',
  device: 'Devices',
  database: 'Backups',
  person: 'People',
  session: 'Sessions',
  change_request: 'Change requests',
  draft: 'Drafts',
}

export const text = {
  /** How a change came in, and with which of the keys that may have the same name. */
  cameBy: ({ kind, keyPrefix, address, via }: AuditEntry['actor']) =>
    [
      ...(via === undefined ? [] : [SOURCE_WORDS[via]]),
      address ?? SOURCE_WORDS[kind],
      ...(keyPrefix === undefined ? [] : [`${keyPrefix}…`]),
    ].join(', '),

  title: 'Audit log',
  description: 'Who changed what, and when. Entries cannot be edited or deleted.',
  exported: (path: string) => `Exported the audit log as ${path}`,
  notExported: 'The audit log was not exported',
  count: (shown: number, total: number) =>
    shown >= total
      ? formatCounted(total, 'entry', 'entries')
      : `${formatCount(shown)} of ${formatCounted(total, 'entry', 'entries')}`,
  showOlder: 'Show older entries',
  noMatch: 'Change a filter, or clear all of them.',
  emptyTitle: 'No changes yet',
  empty:
    'Changes made in the console, on the command line or with an API key appear here, with their previous values.',

  app: 'App',
  allApps: 'All apps',
  unknownOption: (ref: string) => `${ref} (not found)`,
  channel: 'Channel',
  allChannels: 'All channels',
  type: 'Type',
  allTypes: 'All types',
  source: 'Source',
  anySource: 'All sources',
  from: 'From',
  to: 'To',
  search: 'Name, version or value',

  details: 'Details',
  detailsOf: (change: string) => `Details: ${change}`,
  time: 'Time',
  actor: 'Actor',
  change: 'Change',
  subject: 'Target',
  server: 'This server',
  release: (version: string, place: string) => `Release ${version} of ${place}`,
  noDetails: 'No further details recorded',
  changed: 'Changed fields',
  field: 'Field',
  before: 'Before',
  after: 'After',
  none: 'None',
  yes: 'Yes',
  no: 'No',
} as const

/** The fields of a change. */
export const FIELD_WORDS = {
  rolloutPct: 'Rollout',
  status: 'Status',
  targets: 'Targets',
  artifacts: 'Artifacts',
  files: 'Added or replaced',
  notes: 'Release notes changed',
  draft: 'From a draft',
  deviceIdSha256: 'Device ID (SHA-256)',
  ref: 'Reference',
  id: 'ID',
  prefix: 'Prefix',
  scopes: 'Scopes',
  archivedAt: 'Archived',
  revokedAt: 'Revoked',
  updateMode: 'Update mode',
  minimumSupportedVersion: 'Minimum supported version',
  rollback: 'Rollback behavior',
  requireApproval: 'Approval required',
  proving: 'Proof of artifacts',
  uncheckedSignatures: 'Signatures accepted unchecked',
  earlyAccess: 'Early access',
  deviceIds: 'devices',
  manualChecks: 'Manual checks skip the rollout',
  countNewDevices: 'New devices count in plans',
  preflight: 'Preflight',
  acceptedFindings: 'Accepted findings of preflight',
  awaitsProof: 'Paused until proven',
  minisignKey: 'minisign key',
  hosts: 'Allowed hosts',
  documentKeys: 'Keys of signed documents',
  documents: 'Signed documents',
  failure: 'Failure',
  bypassApproval: 'Bypasses approval',
  requestedBy: 'Requested by',
  proposedBy: 'Requested by',
  comment: 'Comment',
} as const
