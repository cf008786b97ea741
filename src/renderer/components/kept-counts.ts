import type { CarriedOver } from '../../shared/console/backups.ts'
import { formatCounted } from './format.ts'

/** What was kept, counted, kind by kind; kinds with none are left out. */
export function keptCounts({ rolledBack, servingKept, keysRevoked }: CarriedOver): string[] {
  return [
    ...(rolledBack > 0 ? [formatCounted(rolledBack, 'rollback')] : []),
    ...(servingKept > 0 ? [formatCounted(servingKept, 'serving change')] : []),
    ...(keysRevoked > 0 ? [formatCounted(keysRevoked, 'key revocation')] : []),
  ]
}
