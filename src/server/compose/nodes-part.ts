import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { DisposerStack } from '../async/disposer-stack.ts'
import type { NodeTrouble } from '../cluster/all-nodes.ts'
import type { NodeState } from '../cluster/nodes.ts'
import type { ServerConfig } from '../config.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { FeedExchange } from '../fleet/ingest/feed-exchange.ts'
import type { Storage } from '../storage/interface/storage.ts'

/** Milliseconds between two reports. */
const INTERVAL = 5_000
/** Milliseconds between two looks at the event loop, which count as no delay. */
const RESOLUTION = 20

interface Parts {
  readonly storage: Pick<Storage, 'nodes'>
  readonly config: Pick<ServerConfig, 'hosting'>
  readonly fleet: Pick<Fleet, 'feed' | 'health'>
  /** Returns what is wrong on this node. */
  readonly trouble: () => NodeTrouble
  readonly closing: DisposerStack
}

/** Tells the other nodes how this one is, and shows the check-ins of all on each. Does nothing without nodes. */
export function joinNodes({ storage: { nodes }, config, fleet, trouble, closing }: Parts): void {
  if (nodes === undefined) return
  const exchange = new FeedExchange(fleet.feed, nodes)
  closing.add(() => exchange.stop())
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION })
  delays.enable()
  const files = filesOf(config)
  const { lost: lostBefore } = fleet.health
  let before = { announced: fleet.feed.announced, at: performance.now() }
  const report = () => {
    const { queued, lost } = fleet.health
    const now = { announced: fleet.feed.announced, at: performance.now() }
    const seconds = Math.max(0.001, (now.at - before.at) / 1_000)
    const { alarms, telemetryFailure, bucketOutage, budgets } = trouble()
    nodes.report({
      checkInRate: (now.announced - before.announced) / seconds,
      queued,
      lost: Math.max(0, lost - lostBefore),
      memory: process.memoryUsage.rss(),
      delay: Math.max(0, delays.max / 1e6 - RESOLUTION),
      files,
      ...{ alarms, telemetryFailure, bucketOutage, budgets },
    })
    delays.reset()
    before = now
  }
  report()
  const timer = setInterval(report, INTERVAL).unref()
  closing.add(() => {
    clearInterval(timer)
    delays.disable()
  })
}

function filesOf({ hosting }: Parts['config']): NodeState['files'] {
  if (hosting?.bucket !== undefined) return 'bucket'
  return hosting?.folder === undefined ? null : 'folder'
}
