import { AllNodes, type NodeTrouble } from '../cluster/all-nodes.ts'
import type { LogHealth } from '../log/log-writer.ts'
import { currentAlarms } from './current-alarms.ts'
import { openMonitoring } from './monitoring-part.ts'
import { joinNodes } from './nodes-part.ts'
import type { OpenedParts, Surroundings } from './open-parts.ts'
import { openOutbox } from './outbox-part.ts'

const NO_LOG: LogHealth = { lost: 0, failure: null }

/** What says how a server is, to people, programs and other nodes. */
export type Watch = Awaited<ReturnType<typeof watchParts>>

/** Watches the parts. Rejects as `openMonitoring`. */
export async function watchParts({ config, parts }: Surroundings, opened: OpenedParts) {
  const { wiring, fleet, hosting, state, clock, bucketOutage, disk } = opened
  const { storage } = wiring
  const { backups } = opened.backupWork
  const { logHealth = () => NO_LOG } = parts
  const trouble = (): NodeTrouble => {
    const { lost, failure: telemetryFailure, budgets } = fleet.health
    const watched = { plans: opened.plans.runner, proving: opened.proving.schedule }
    const alarms = currentAlarms({
      ...{ ...watched, fleet, backups, bucketOutage: bucketOutage(), now: clock() },
      certificate: state.certificate(),
    })
    return {
      ...{ alarms: [...alarms], telemetryFailure, lost, budgets: [...budgets] },
      bucketOutage: bucketOutage(),
    }
  }
  joinNodes({ ...wiring, fleet, trouble })
  const allNodes = new AllNodes(trouble, storage.nodes)
  const { newId, contact, minFreeBytes } = opened
  const outbox = openOutbox({ ...wiring, clock, newId, alarmsOf: () => allNodes.alarms })
  const { monitor, metrics } = await openMonitoring({
    ...{ ...wiring, ...state, config, contact, fleet, backups, disk, logHealth, minFreeBytes },
    bucketOutage: () => hosting?.files.outage ?? null,
  })
  return { allNodes, outbox, monitor, metrics, logHealth }
}
