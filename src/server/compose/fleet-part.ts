import { BUDGET_SETTINGS } from '../../shared/budgets.ts'
import type { StoredFleet } from '../storage/interface/storage.ts'
import { type FleetJobs, openFleetJobs } from './fleet-jobs.ts'
import type { Wiring } from './running-server.ts'

type Parts = Pick<Wiring, 'config' | 'storage' | 'log' | 'closing' | 'catalog' | 'disk' | 'failed'>

/** The fleet, its store, and the jobs that keep it within its limits. */
export interface FleetPart {
  readonly fleet: StoredFleet
  readonly jobs: FleetJobs
}

/** Loads the fleet. Its jobs are not started yet. */
export async function openFleet(parts: Parts): Promise<FleetPart> {
  const { config, storage, log, closing, catalog, failed } = parts
  const { labelBytes, newDevices, combinations } = config.budgets
  const fleet = await storage.openFleet({
    onFailure: failed('could not write telemetry'),
    onSetAside: (checkIns, reason) =>
      log.error({ checkIns, err: reason }, 'rejected check-ins set aside'),
    onUsedUp: (budget) =>
      log.warn({ budget, setting: BUDGET_SETTINGS[budget.name] }, 'limit reached'),
    clock: () => catalog.now(),
    ...{ labelBytes, newDevices, combinations, sharers: storage.nodes },
    isRolledBack: (channelKey, version) =>
      catalog.snapshot.channelByKey.get(channelKey)?.compiled.rolledBack.has(version) === true,
  })
  closing.add(() => fleet.stop())
  const jobs = await openFleetJobs({ ...parts, fleet })
  closing.add(() => jobs.stop())
  return { fleet, jobs }
}
