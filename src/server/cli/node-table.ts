import type { ListedNode } from '../../shared/readiness.ts'
import { printTable } from './output.ts'
import { text } from './strings/nodes.ts'

/** Prints the nodes of a database, one per line. */
export function printNodes(nodes: readonly ListedNode[]): void {
  const cells = nodes.map(({ name, address, version, lease, changesBehind }) => [
    ...[name, address ?? text.noAddress, version],
    ...[text.leases[lease], text.behind(changesBehind)],
  ])
  printTable(text.headings, cells, text.none)
}
