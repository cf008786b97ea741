import { formatCount, formatCounted } from '../../../shared/wording/format.ts'

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
  fail: 'Fails',
  warn: 'Warning',
  accepted: 'Accepted',
  explain: 'Explain',
  moreVersions: (count: number) => `and ${formatCounted(count, 'other version')}`,
  nobody: 'No device runs it now',
  notInspected: (count: number) =>
    `${formatCounted(count, 'file')} could not be read, or only in part, so nothing is said about what is inside.`,
} as const
