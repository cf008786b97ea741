import {
  formatCount,
  formatCounted,
  formatPercent,
  formatShare,
} from '../../../shared/wording/format.ts'

export const text = {
  title: 'Rollouts',
  invalid: 'This link is no longer valid',
  invalidHint: 'Its key was revoked. Create a new link under API keys.',
  channel: (devices: number, upToDate: number | null) =>
    upToDate === null
      ? formatCounted(devices, 'device')
      : `${formatCounted(devices, 'device')} · ${formatShare(upToDate)} up to date`,
  progress: (rolloutPct: number, adoption: number | null) =>
    adoption === null
      ? formatPercent(rolloutPct)
      : `${formatPercent(rolloutPct)} · adoption ${formatShare(adoption)}`,
  failed: (failed: number, judged: number) =>
    `${formatCount(failed)} of ${formatCounted(judged, 'device')} failed`,
  failing: 'Too many failures',
  next: (step: string) => `Next: ${step}`,
  nothingLive: 'No live releases',
} as const
