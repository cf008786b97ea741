import type { SessionHealth } from '../health/sessions.ts'
import { formatCount, formatCounted, formatPercent } from './format.ts'

/** What the sessions of a release are called. */
export const CRASH_FREE = 'Crash-free sessions'

/** Returns what is known of the sessions of a release, as sentences. */
export function sessionsInWords(sessions: SessionHealth): string {
  const { started, ended, crashed, errored, abnormal, devices, crashedDevices } = sessions
  const { crashFreePct, crashFreeAtLeastPct } = sessions
  if (crashFreePct === null || crashFreeAtLeastPct === null) {
    return `${formatCounted(started, 'session')} started, none has ended.`
  }
  const share = `${formatPercent(crashFreePct, 2)} of ${formatCounted(ended, 'session')}, at least ${formatPercent(crashFreeAtLeastPct, 2)} at 95% confidence.`
  const counts = `${formatCount(crashed)} crashed, ${formatCount(errored)} had errors, ${formatCount(abnormal)} ended abnormally.`
  if (devices === null) return `${share} ${counts}`
  const affected = `About ${formatCounted(devices, 'device')}, ${formatCount(crashedDevices ?? 0)} with crashes.`
  return `${share} ${counts} ${affected}`
}
