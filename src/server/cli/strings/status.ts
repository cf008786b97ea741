import {
  formatAgo,
  formatCounted,
  formatDuration,
  formatSize,
} from '../../../shared/wording/format.ts'

const support = {
  description: 'Collect versions, settings, state and log lines in a file for support',
  output: 'File to write (default: tidegate-support-<time>.zip in this folder)',
  written: (file: string, bytes: number) => `${file} (${formatSize(bytes)}) contains:`,
  headings: ['FILE', 'CONTENTS'],
  none: 'nothing',
  contents: {
    versions: 'Versions of Tidegate, Node and the operating system',
    settings: 'Settings and where they come from; of secrets only the names of their files',
    status: 'State of the running server',
    database: 'Size, schema and row counts of the database, and what "doctor" finds',
    log: (lines: number) => `The last ${formatCounted(lines, 'line')} of the log`,
  },
  withoutLog:
    'The log is not in it, because it goes to stderr, or is in another file than these settings say. Give --log-file, or add the lines that your service manager keeps.',
  notInIt:
    'It has no API keys, no device IDs and no log of requests. It has paths and names of apps: read it before you send it.',
  exists: (file: string) => `${file} already exists; choose another file with --output`,
} as const

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export const text = {
  support,
  description: 'Show the state of the running server',

  ready: (version: string, address: string) =>
    `Tidegate ${version} at ${address} is ready to answer update checks.`,
  notReady: (version: string, address: string) =>
    `Tidegate ${version} at ${address} is NOT ready to answer update checks.`,
  headings: ['PART', 'STATE', 'DETAILS'],
  parts: {
    uptime: 'Uptime',
    database: 'Database',
    disk: 'Disk',
    telemetry: 'Check-ins',
    backups: 'Backups',
    certificate: 'Certificate',
    log: 'Log',
  },
  states: {
    ok: 'ok',
    current: 'ok',
    stale: 'cannot load changes',
    out_of_contact: 'out of contact',
    failing: 'failing',
    low: 'low',
    unknown: 'unknown',
    expiring: 'expires soon',
    expired: 'expired',
    missing: 'file missing',
    replaced: 'file replaced',
    emptied: 'file emptied',
  },
  none: 'none',
  uptime: duration,
  database: (place: string, bytes: number | null, logBytes: number | null) =>
    bytes === null
      ? place
      : `${formatSize(bytes)}${logBytes === null ? '' : ` and a log of ${formatSize(logBytes)}`} in ${place}`,
  disk: (freeBytes: number | null, minFreeBytes: number) =>
    freeBytes === null
      ? ''
      : `${formatSize(freeBytes)} free${minFreeBytes > 0 ? `, minimum ${formatSize(minFreeBytes)}` : ''}`,
  telemetry: (queued: number, lost: number) => `${queued} waiting, ${lost} lost`,
  backups: (secondsAgo: number | null, everyHours: number, folder: string) =>
    `${secondsAgo === null ? 'no backup' : `last ${ago(secondsAgo)}`}, ${everyHours === 0 ? 'not scheduled' : `every ${formatDuration(everyHours, 'hour')}`}, in ${folder}`,
  backupsElsewhere: 'made with the tools of PostgreSQL',
  certificate: (expiresAt: string) => `until ${expiresAt}`,
  log: (lost: number) => `${formatCounted(lost, 'line')} lost`,
  nodes: {
    headings: ['NODE', 'ADDRESS', 'VERSION', 'LEASE', 'CHANGES'],
    none: 'No node is running on this database.',
    noAddress: 'not listening yet',
    leases: { ok: 'ok', ended: 'ended' },
    behind: (changes: number) =>
      changes === 0 ? 'up to date' : `${formatCounted(changes, 'change')} behind`,
  },
  withKey:
    'For details, run this on the computer of the server without --server, or use a key for all apps with the scope read.',
} as const

function duration(seconds: number): string {
  if (seconds >= 2 * DAY) return formatDuration(Math.floor(seconds / DAY), 'day')
  if (seconds >= 2 * HOUR) return formatDuration(Math.floor(seconds / HOUR), 'hour')
  if (seconds >= 2 * MINUTE) return formatDuration(Math.floor(seconds / MINUTE), 'minute')
  return formatDuration(seconds, 'second')
}

function ago(seconds: number): string {
  if (seconds >= 2 * DAY) return formatAgo(Math.floor(seconds / DAY), 'day')
  if (seconds >= 2 * HOUR) return formatAgo(Math.floor(seconds / HOUR), 'hour')
  return formatAgo(Math.floor(seconds / MINUTE), 'minute')
}
