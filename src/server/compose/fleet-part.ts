import { BUDGET_SETTINGS } from '../../shared/operation/budgets.ts'
import type { OpenFleet } from '../fleet/fleet.ts'
import {
  checkInRetention,
  deviceRetention,
  Erasures,
  healthSamples,
  reclaim,
} from '../fleet/upkeep/jobs.ts'
import { whileLeading } from '../runtime/cluster/leadership.ts'
import type { SpaceWatch, StoredFleet } from '../storage/interface/storage.ts'
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
  const jobs = await openFleetJobs(parts, fleet)
  closing.add(() => jobs.stop())
  return { fleet, jobs }
}

interface FleetJobs {
  readonly erasures: Erasures
  /** Starts the jobs. Call it when the server listens: their first rounds read and write. */
  start(): void
  /** Stops the jobs, each after the work in progress. */
  stop(): Promise<void>
}

/** Prepares the jobs that keep the fleet within its limits, and watches the space on the disk. */
async function openFleetJobs(parts: Parts, fleet: OpenFleet): Promise<FleetJobs> {
  const { config, log, storage, catalog, failed } = parts
  const { keepCheckInDays: keepDays, keepDeviceDays, keepSeenOnceDays } = config
  const clock = () => catalog.now()
  const space = spaceWatch(parts, fleet)
  const jobs = [
    reclaim(fleet, { keepDays, clock, onFailure: failed('could not retire unused profiles') }),
    checkInRetention(fleet, {
      ...{ keepDays, clock },
      onFailure: failed('could not delete old check-ins'),
    }),
    healthSamples(fleet, { clock, onFailure: failed('could not sample the health of releases') }),
    deviceRetention(fleet, {
      ...{ keepDays: keepDeviceDays, keepSeenOnceDays, clock },
      onFailure: failed('could not delete inactive devices'),
      onDeleted: (devices) => log.info({ devices }, 'inactive devices deleted'),
    }),
  ]
  const erasures = new Erasures(fleet, {
    revision: () => catalog.snapshot.revision,
    onFailure: failed('could not forget devices'),
  })
  await space.start()
  let stopLeading = async () => {}
  return {
    erasures,
    start() {
      stopLeading = whileLeading(storage.leadership('fleet_jobs'), jobs)
      // Every server forgets devices: each has its own fleet in memory.
      erasures.start()
    },
    async stop() {
      await erasures.stop()
      await stopLeading()
      await space.stop()
    },
  }
}

function spaceWatch({ config, log, storage, disk, failed }: Parts, fleet: OpenFleet): SpaceWatch {
  return storage.watchSpace({
    minFreeMiB: config.budgets.minFreeDiskMiB,
    onChange: (isNearlyFull) => {
      fleet.admission.addsRows = !isNearlyFull
      if (isNearlyFull) log.warn('low disk space, requests without a key add no data')
      else log.info('disk space is sufficient again')
    },
    onFailure: failed('could not read the free disk space'),
    ...disk,
  })
}
