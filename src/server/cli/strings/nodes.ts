import { formatCounted } from '../../../shared/wording/format.ts'

/** Texts of the list of nodes in `status` and `doctor`. */
export const text = {
  headings: ['NODE', 'ADDRESS', 'VERSION', 'LEASE', 'CHANGES'],
  none: 'No node is running on this database.',
  noAddress: 'not listening yet',
  leases: { ok: 'ok', ended: 'ended' },
  behind: (changes: number) =>
    changes === 0 ? 'up to date' : `${formatCounted(changes, 'change')} behind`,
} as const
