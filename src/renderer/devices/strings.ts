import type { DeviceCheckIn } from '../../shared/console/devices.ts'
import type { CandidateTrace } from '../../shared/explanation.ts'
import { OTHER } from '../../shared/names.ts'
import { causePhrase } from '../../shared/wording/explanation.ts'
import { formatDuration } from '../../shared/wording/format.ts'
import { formatTime } from '../components/time.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const relative = new Intl.RelativeTimeFormat(undefined, { style: 'long', numeric: 'always' })

/** `ring=early, site=Graz`; empty where there is none. */
export function labelsInWords(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ')
}

/** `darwin aarch64`, and `not said` where a report left both out. */
export function systemInWords({ platform, arch }: { platform: string; arch: string }): string {
  if (platform === OTHER) return 'Other'
  return [platform, arch].filter((part) => part !== '').join(' ') || 'not said'
}

/** Where a check-in came from. */
export const SOURCE_WORDS: Readonly<Record<DeviceCheckIn['source'], string>> = {
  check: 'Update check',
  decision: 'Fleet decision',
  report: 'Fleet report',
}

/** A version, platform or architecture to choose from. */
export function choiceInWords(value: string): string {
  return value === OTHER ? 'Other' : value
}

/** How long check-ins are kept. */
export function keptInWords(days: number): string {
  if (days === 0) return 'Check-ins are kept for ever.'
  return `Check-ins are kept for ${formatDuration(days, 'day')}.`
}

/** Why a candidate was offered or passed over, as a sentence. */
export function whyInWords(candidate: CandidateTrace): string {
  const cause = causePhrase(candidate)
  return `${cause.charAt(0).toUpperCase()}${cause.slice(1)}.`
}

/** `just now`, `5 minutes ago`, `3 days ago`; the date where it is longer than 30 days ago. */
export function agoInWords(at: number, now: number): string {
  const passed = now - at
  // The clocks of two processes may differ a little.
  if (passed < MINUTE) return 'just now'
  if (passed < HOUR) return relative.format(-Math.floor(passed / MINUTE), 'minute')
  if (passed < DAY) return relative.format(-Math.floor(passed / HOUR), 'hour')
  if (passed <= 30 * DAY) return relative.format(-Math.floor(passed / DAY), 'day')
  return formatTime(at, 'date')
}
