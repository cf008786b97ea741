import type { CarriedOver } from '../../../shared/console/backups.ts'
import { keptCounts } from '../../components/strings.ts'
import { listed } from '../../releases/strings.ts'

/** Says what a restore kept of the data that it replaced, or that it could keep nothing. */
export function KeptChanges({ carriedOver }: { readonly carriedOver: CarriedOver | null }) {
  if (carriedOver === null) {
    return (
      <span>
        The replaced database could not be read. Repeat the rollbacks, rollout changes and key
        revocations made since the backup.
      </span>
    )
  }
  const kept = keptCounts(carriedOver)
  return kept.length === 0 ? null : <span>Kept from after the backup: {listed(kept)}.</span>
}
