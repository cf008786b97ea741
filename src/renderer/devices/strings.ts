import type {
  DeviceCheckIn,
  DeviceListPage,
  HealthFilter,
  SeenWithin,
} from '../../shared/console/devices.ts'
import { OTHER } from '../../shared/devices/counting.ts'
import {
  formatAgo,
  formatCount,
  formatCounted,
  formatDuration,
} from '../../shared/wording/format.ts'
import { HEALTH_LABELS } from '../../shared/wording/judgement.ts'
import { formatTime } from '../components/text/time.ts'

export const text = {
  title: 'Devices',
  devicesOf: (app: string) => `Devices of ${app}`,
  device: 'Device',
  version: 'Version',
  channel: 'Channel',
  platform: 'Platform',
  arch: 'Architecture',
  labels: 'Labels',
  firstSeen: 'First seen',
  lastSeen: 'Last seen',
  app: 'App',
  all: 'All',
  healthOf: (version: string) => `Update to ${version}`,
  anyRelease: 'Any release',
  search: 'Device ID prefix or label=value',
  count: ({ total, known }: Pick<DeviceListPage, 'total' | 'known'>, isNarrowed: boolean) =>
    isNarrowed
      ? `${formatCount(total)} of ${formatCounted(known, 'device')}`
      : formatCounted(known, 'device'),
  range: (first: number, last: number, total: number) =>
    `${formatCount(first)}–${formatCount(last)} of ${formatCount(total)}`,
  newCheckIns: 'New check-ins available',
  refresh: 'Refresh',
  asOf: 'As of',
  pages: 'Pages',
  first: 'First',
  previous: 'Previous',
  next: 'Next',

  exported: (path: string) => `Exported devices as ${path}`,
  notExported: 'The devices were not exported',

  noApps: 'Create an app and connect it. Its devices appear here when they check for updates.',
  noDevicesTitle: (app: string) => `No devices of ${app} yet`,
  noDevices:
    'Add the update configuration to your app and send a device ID with every check. Devices appear here after their first check-in.',
  connect: (app: string) => `Connect ${app}`,
  noMatch: 'Search by the start of a device ID, or by a label as key=value.',
} as const

export const savedText = {
  menu: 'Saved filters',
  none: 'No saved filters',
  save: 'Save current filters…',
  manage: 'Manage saved filters…',
  saveTitle: 'Save filters',
  saveAction: 'Save filters',
  name: 'Name',
  required: 'Required',
  nameExists: 'Name already exists',
  tooMany: (maximum: number) => `You can save up to ${formatCounted(maximum, 'filter')}`,
  savedAs: (name: string) => `Saved filters as ${name}`,
  notSaved: 'The filters were not saved',
  manageTitle: 'Saved filters',
  delete: (name: string) => `Delete ${name}`,
  deleted: 'Deleted saved filter',
  notDeleted: 'The saved filter was not deleted',
} as const

export const deviceText = {
  pageName: (deviceId: string) => `Device ${deviceId}`,
  deviceId: 'device ID',
  copyId: 'Copy',
  lastSeen: 'Last seen',
  firstSeen: 'First seen',
  notFoundTitle: 'Device not found',
  notFound: (app: string) =>
    `No device with this ID has checked in for ${app}, or it was forgotten.`,
  showDevices: 'Show devices',
  channelDeleted: 'Deleted channel',
  noLabels: 'No labels. Apps send labels with a check, backends with a report.',
  devicesWith: (label: string) => `Devices with ${label}`,

  forget: 'Forget device',
  forgotten: (deviceId: string) => `Forgot device ${deviceId}`,
  notForgotten: (deviceId: string) => `Device ${deviceId} was not forgotten`,
  forgetQuestion: (deviceId: string) =>
    `This deletes the ID, labels, first and last seen, and version history of ${deviceId}. Its check-ins stay in the log without anything that identifies the device, and past daily statistics still count it. The audit log keeps a hash of the ID. Existing backups are not changed. If the device checks in again, it is added as a new device.`,

  history: 'Version history',
  historyList: 'Version history, latest first',
  noHistory: 'No version changes recorded',
  moreHistory: 'Older versions are not shown.',
  since: 'since',
  unknown: 'Unknown',
  notRecorded: 'No longer recorded',
  ran: (channel: string, system: string) => `${channel}, ${system}`,

  checkIns: 'Recent check-ins',
  checkInsTable: 'Check-ins',
  time: 'Time',
  source: 'Source',
  result: 'Result',
  noResult: 'None (report)',
  newer: 'Newer',
  older: 'Older',
  newerCheckIns: 'Newer check-ins',
  olderCheckIns: 'Older check-ins',
  noCheckIns: 'No check-ins in this period.',
} as const

export const earlyAccessText = {
  title: 'Early access',
  none: (channel: string) => `Not on the early access list of ${channel}`,
  by: {
    device_id: (channel: string) => `On ${channel}, by its ID: it is in every rollout above 0%`,
    targets: (channel: string) =>
      `On ${channel}, by its labels: it is in every rollout above 0%. The channel policy has the labels.`,
  },
  add: 'Add to early access',
  remove: 'Remove from early access',
  added: (channel: string) => `Added the device to early access on ${channel}`,
  removed: (channel: string) => `Removed the device from early access on ${channel}`,
  notChanged: (deviceId: string) => `Early access of ${deviceId} was not changed`,
} as const

/** The periods of the filter on when devices were last seen. */
export const SEEN_LABELS: Readonly<Record<SeenWithin, string>> = {
  any: 'Any time',
  '24h': formatDuration(24, 'hour'),
  '7d': formatDuration(7, 'day'),
  '30d': formatDuration(30, 'day'),
  '90d': formatDuration(90, 'day'),
}

/** What became of devices that were offered a release. */
export const HEALTH_CHOICES: Readonly<Record<HealthFilter, string>> = {
  ...HEALTH_LABELS,
  failed: 'All failures',
  offered: 'All offered',
}

/** Where a check-in came from. */
export const SOURCE_WORDS: Readonly<Record<DeviceCheckIn['source'], string>> = {
  check: 'Update check',
  decision: 'Fleet decision',
  report: 'Fleet report',
  outcome: 'Reported by the app',
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `ring=early, site=Graz`; empty where there is none. */
export function labelsInWords(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ')
}

/** `darwin aarch64`; `Unknown` where a report left both out. */
export function systemInWords({ platform, arch }: { platform: string; arch: string }): string {
  if (platform === OTHER) return 'Other'
  return [platform, arch].filter((part) => part !== '').join(' ') || 'Unknown'
}

/** A version, platform or architecture to choose from. */
export function choiceInWords(value: string): string {
  return value === OTHER ? 'Other' : value
}

/** How long check-ins are kept. */
export function keptInWords(days: number): string {
  return days === 0
    ? 'Check-ins are kept forever.'
    : `Check-ins are kept for ${formatDuration(days, 'day')}.`
}

/** `just now`, `5 minutes ago`, `3 days ago`; the date where it is longer than 30 days ago. */
export function agoInWords(at: number, now: number): string {
  const passed = now - at
  // The clocks of two processes may differ a little.
  if (passed < MINUTE) return 'just now'
  if (passed < HOUR) return formatAgo(Math.floor(passed / MINUTE), 'minute')
  if (passed < DAY) return formatAgo(Math.floor(passed / HOUR), 'hour')
  if (passed <= 30 * DAY) return formatAgo(Math.floor(passed / DAY), 'day')
  return formatTime(at, 'date')
}
