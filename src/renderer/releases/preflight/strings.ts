import type { PreflightReport } from '../../../shared/releases/preflight.ts'
import { formatCount, formatCounted, formatSize } from '../../../shared/wording/format.ts'

export const text = {
  title: 'Preflight',
  hint: 'Checks that every known device can install this release, before it is offered.',
  run: 'Run preflight',
  again: 'Run again',
  cancel: 'Cancel',
  failed: 'Preflight was not completed',
  files: 'Reading files…',
  progress: {
    devices: (done: number, total: number) =>
      `Counting devices: ${formatCount(done)} of ${formatCount(total)}`,
    updates: (done: number, total: number) =>
      `Following updates: ${formatCount(done)} of ${formatCounted(total, 'group')}`,
  },
  running: 'Progress of preflight',
  findings: 'Findings',
  severity: 'Severity',
  fail: 'Fails',
  warn: 'Warning',
  accepted: 'Accepted',
  finding: 'Finding',
  on: 'Devices with',
  devices: 'Devices',
  fix: 'How to fix it',
  moreVersions: (count: number) => `and ${formatCounted(count, 'other version')}`,
  nobody: 'No device runs it now',
  counts: ({ reaching, beyond, notTargeted, unknown, download }: PreflightReport) =>
    [
      `${formatCounted(reaching, 'device')} will install it`,
      ...(beyond > 0 ? [`${formatCount(beyond)} have it or a later one`] : []),
      ...(notTargeted > 0 ? [`${formatCount(notTargeted)} are not targeted`] : []),
      ...(unknown > 0 ? [`${formatCount(unknown)} are unknown`] : []),
      ...(download.bytes > 0 ? [`downloads of ${formatSize(download.bytes)} in all`] : []),
    ].join(', '),
  notInspected: (count: number) =>
    `${formatCounted(count, 'file')} could not be read, or only in part, so nothing is said about what is inside.`,
} as const
