import type { Dashboard, FleetRange, LiveCheckIn, RolloutMark } from '../../shared/console/fleet.ts'
import { OTHER } from '../../shared/devices/counting.ts'
import { REASON_LABELS } from '../../shared/wording/explanation.ts'
import {
  formatCount,
  formatCounted,
  formatDuration,
  formatPercent,
  formatShare,
} from '../../shared/wording/format.ts'
import { formatTime, formatUtcDay } from '../components/text/time.ts'

/** Ranges as the control and sentences name them. */
export const RANGE_WORDS: Readonly<Record<FleetRange, { short: string; long: string }>> = {
  '24h': { short: formatDuration(24, 'hour'), long: `the last ${formatDuration(24, 'hour')}` },
  '7d': { short: formatDuration(7, 'day'), long: `the last ${formatDuration(7, 'day')}` },
  '30d': { short: formatDuration(30, 'day'), long: `the last ${formatDuration(30, 'day')}` },
  '90d': { short: formatDuration(90, 'day'), long: `the last ${formatDuration(90, 'day')}` },
}

const UNIT_WORDS: Readonly<Record<Dashboard['unit'], { name: string; per: string; each: string }>> =
  {
    hour: { name: 'Hour', per: 'hour', each: 'once per hour' },
    day: { name: 'Day (UTC)', per: 'UTC day', each: 'once per UTC day' },
  }

export const text = {
  title: 'Fleet',
  description: 'Versions, check-ins and platforms across your fleet',
  app: 'App',
  channel: 'Channel',
  allChannels: 'All channels',
  range: 'Time range',

  noApps: 'Create an app to see the versions and check-ins of its devices here.',
  noCheckInsTitle: 'No check-ins yet',
  noCheckIns: 'Add the update configuration to your app. Its first check-in appears here.',
  connect: (name: string) => `Connect ${name}`,

  totals: 'Fleet summary',
  devices: 'Devices',
  seen: (range: FleetRange) => `Seen in ${RANGE_WORDS[range].short}`,
  upToDate: 'On a live release',
  upToDateHint: `of devices seen in ${RANGE_WORDS['7d'].short}`,

  showTable: 'Show as table',
  showTableOf: (title: string) => `Show as table: ${title.toLowerCase()}`,

  versions: 'Versions',
  versionsLegend: 'Versions in the chart',
  versionsSummary: (unit: Dashboard['unit'], range: FleetRange, peak: number) =>
    `Peak: ${formatCounted(peak, 'device')}/${UNIT_WORDS[unit].per} in ${RANGE_WORDS[range].long}.`,
  mostCommon: (version: string) => `Most common version: ${version}.`,
  versionsTable: (unit: Dashboard['unit']) =>
    `Devices by version, each counted ${UNIT_WORDS[unit].each}, latest first`,
  step: (unit: Dashboard['unit']) => UNIT_WORDS[unit].name,
  allDevices: 'All devices',
  devicesOn: (version: string) => `Devices on ${version}`,
  other: 'Other',
  otherVersions: (count: number) => formatCounted(count, 'other version'),
  total: 'Total',
  amount: (value: number, total: number) =>
    total === 0 ? formatCount(value) : `${formatCount(value)} (${formatShare(value / total)})`,
  changes: 'Rollout changes, latest first',
  changeOn: (channel: string, change: string) => `${channel}: ${change}`,

  checkIns: 'Check-ins',
  checkInsSummary: (range: FleetRange, all: number, offered: number, anonymous: number) =>
    `${formatCounted(all, 'check-in')} in ${RANGE_WORDS[range].long}: ${formatCount(offered)} offered an update, ${formatCount(anonymous)} anonymous.`,
  checkInsTable: (unit: Dashboard['unit']) => `Check-ins per ${UNIT_WORDS[unit].per}, latest first`,
  offered: 'Update offered',
  notOffered: 'No update offered',
  anonymous: 'Anonymous',

  platforms: 'Platforms',
  platform: 'Platform',
  platformsSummary: (range: FleetRange, all: number) =>
    `${formatCounted(all, 'device')} seen in ${RANGE_WORDS[range].long}.`,
  mostCommonPlatform: (platform: string, share: number) =>
    `Most common: ${platform}, ${formatShare(share)}.`,
  platformsTable: 'Devices by platform, most common first',
  morePlatforms: (count: number) => `${formatCounted(count, 'more platform')} in the table`,

  live: 'Live check-ins',
  liveList: 'Live check-ins, latest first. Press P to pause or resume.',
  pause: 'Pause',
  resume: 'Resume',
  waiting: 'Waiting for the next check-in…',
  connecting: 'Connecting…',
  disconnected: 'Disconnected',
  paused: (since: number) => `Paused, ${newCheckIns(since)}`,
  hovering: (since: number) => `Paused while hovering, ${newCheckIns(since)}`,
  focused: (since: number) => `Paused while selected, ${newCheckIns(since)}`,
  skipped: (count: number) =>
    `${formatCounted(count, 'check-in')} skipped because too many arrived`,
  reported: 'Reported',
  checkedIn: 'Checked in',
} as const

function newCheckIns(count: number): string {
  return formatCounted(count, 'new check-in')
}

/** A step in full, for a tooltip or a row: an hour in the chosen time zone, or a UTC day. */
export function stepWords(unit: Dashboard['unit'], at: string): string {
  // A day of the charts is a UTC day: in another zone it would have another name in half of the world.
  return unit === 'hour' ? formatTime(at, 'dayAndHour') : `${formatUtcDay(at)} (UTC)`
}

/** The name of a band. */
export function bandName(version: string | null, others: number): string {
  return version ?? (others === 0 ? text.other : text.otherVersions(others))
}

/** What was done to a rollout: `rollout raised to 25%`. */
export function markWords({ change, rolloutPct }: RolloutMark): string {
  const pct = rolloutPct === null ? '' : formatPercent(rolloutPct)
  const words: Record<typeof change, string> = {
    published: pct === '' ? 'published' : `published at ${pct}`,
    raised: `rollout raised to ${pct}`,
    lowered: `rollout lowered to ${pct}`,
    paused: 'paused',
    resumed: 'resumed',
    rolled_back: 'rolled back',
  }
  return words[change]
}

/** How a check-in was answered. */
export function outcomeWords({ reason, source }: LiveCheckIn): string {
  if (reason !== null) return REASON_LABELS[reason]
  return source === 'check' || source === 'decision' ? text.checkedIn : text.reported
}

/** A platform and architecture; empty texts are unknown. */
export function platformWords({ platform, arch }: { platform: string; arch: string }): string {
  if (platform === OTHER) return text.other
  if (platform === '' && arch === '') return 'Unknown'
  return `${platform || 'unknown'} ${arch}`.trim()
}
