import type { ListedNode } from '../../../shared/operation/readiness.ts'
import { printTable } from '../command/output.ts'
import { text as status } from '../strings/status.ts'

const text = status.nodes

/** Prints the nodes of a database, one per line. */
export function printNodes(nodes: readonly ListedNode[]): void {
  const cells = nodes.map(({ name, address, version, lease, changesBehind }) => [
    ...[name, address ?? text.noAddress, version],
    ...[text.leases[lease], text.behind(changesBehind)],
  ])
  printTable(text.headings, cells, text.none)
}
