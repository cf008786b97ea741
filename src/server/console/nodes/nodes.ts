import { type ConsoleNode, NodesView } from '../../../shared/console/nodes.ts'
import type { NodeInfo } from '../../cluster/nodes.ts'
import { requireServerRole } from '../../use-cases/access.ts'
import { procedure, router } from '../trpc.ts'

/** The nodes on the settings screen. */
export const nodeRoutes = router({
  /** Null if the storage is one that only one process serves from. Does not query the database. */
  list: procedure.output(NodesView.nullable()).query(({ ctx: { nodes, principal } }) => {
    requireServerRole(principal.access, 'viewer')
    if (nodes === undefined) return null
    const { nodes: listed, ...answer } = nodes.list()
    return { ...answer, nodes: listed.map(showNode) }
  }),
})

function showNode({ startedAt, behind, leads, state, ...node }: NodeInfo): ConsoleNode {
  const { checkInRate, queued, lost, memory, delay, files } = state
  return {
    ...node,
    ...{ checkInRate, queued, lost, memory, delay, files },
    startedAt: startedAt.toISOString(),
    behind: behind.catalog + behind.people,
    leads: [...leads],
  }
}
