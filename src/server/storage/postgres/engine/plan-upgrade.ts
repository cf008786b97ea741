import type { UpgradePlan } from '../../interface/upgrades.ts'
import type { Queries } from '../connection/database.ts'
import { SCHEMA } from '../migrations/index.ts'
import { usableState } from '../migrations/usable-state.ts'
import { liveHolder } from '../nodes/holder.ts'

/** The first migration with nodes. */
const WITH_NODES = 3

/** Returns what `migrate` would do. Changes nothing. Rejects as `usableState`. */
export async function planUpgrade(queries: Queries): Promise<UpgradePlan> {
  const { number: from } = await usableState(queries)
  const holder = from < WITH_NODES ? undefined : await liveHolder(queries)
  return {
    file: queries.location,
    ...{ from, to: Math.max(from, SCHEMA) },
    ...{ copy: null, neededBytes: 0, freeBytes: undefined },
    isInUse: holder !== undefined,
    holder: holder === undefined ? null : { pid: holder.pid, address: holder.address },
  }
}
