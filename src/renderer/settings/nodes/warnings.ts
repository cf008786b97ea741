import type { NodesView } from '../../../shared/console/settings/status.ts'
import { text } from './strings.ts'

interface NodeWarning {
  /** `info`: expected for a while. */
  readonly tone: 'warn' | 'info'
  readonly words: string
}

/** Milliseconds after its start in which a node may have no lease. */
const START_TIME = 30_000

/** Returns what somebody should look at, the most urgent first. `now`: Unix time in milliseconds. */
export function nodeWarnings({ nodes, age, failing }: NodesView, now: number): NodeWarning[] {
  const warnings: NodeWarning[] = []
  const warn = (names: readonly string[], words: (names: readonly string[]) => string) => {
    if (names.length > 0) warnings.push({ tone: 'warn', words: words(names) })
  }
  if (failing) warnings.push({ tone: 'warn', words: text.stale(age) })
  const namesOf = (listed: NodesView['nodes']) => listed.map(({ name }) => name)
  warn(
    namesOf(
      nodes.filter(
        ({ leaseLeft, startedAt }) => leaseLeft === 0 && now - Date.parse(startedAt) > START_TIME,
      ),
    ),
    text.withoutLease,
  )
  warn(namesOf(nodes.filter(({ lost }) => (lost ?? 0) > 0)), text.lostOn)
  if (new Set(nodes.map(({ files }) => files)).size > 1) {
    warnings.push({ tone: 'warn', words: text.differentFiles })
  }
  const versions = [...new Set(nodes.map(({ version }) => version))].sort()
  if (versions.length > 1) warnings.push({ tone: 'info', words: text.versions(versions) })
  return warnings
}
