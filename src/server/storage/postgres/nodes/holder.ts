import { hostname } from 'node:os'
import { z } from 'zod'
import type { StorageHolder } from '../../interface/engine.ts'
import type { Queries } from '../connection/database.ts'
import { type LiveNode, liveNodes } from './live-nodes.ts'

/** What a node tells programs that can read its database, beside what it tells people. */
export const HolderState = z.object({
  pid: z.int().catch(0),
  /** The name of its computer; null in the record of an earlier version, whose node is named after it. */
  host: z.string().nullable().catch(null),
  /** As `StorageHolder` has it. */
  statusToken: z.string().nullable().catch(null),
  keptFiles: z.object({ folder: z.string(), publicUrl: z.string() }).nullable().catch(null),
})
export type HolderState = z.infer<typeof HolderState>

/**
 * Returns a node that may serve, as it has described itself; of several, one of this computer and one that has an
 * address are preferred. Rejects with `StorageError`.
 */
export async function liveHolder(queries: Queries): Promise<StorageHolder | undefined> {
  const own = hostname()
  const rank = ({ name, address, state }: LiveNode) => {
    const { host } = HolderState.parse(state ?? {})
    return (address === null ? 0 : 2) + (own === (host ?? name) ? 1 : 0)
  }
  const [best] = (await liveNodes(queries))
    .filter(({ leaseLeft }) => leaseLeft > 0)
    .toSorted((one, other) => rank(other) - rank(one))
  if (best === undefined) return undefined
  const { pid, statusToken, keptFiles } = HolderState.parse(best.state ?? {})
  const { address, started } = best
  return { pid, address, startedAt: started.toISOString(), statusToken, keptFiles }
}
