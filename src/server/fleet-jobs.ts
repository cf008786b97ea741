import type { Logger } from 'pino'
import type { Catalog } from './catalog/catalog.ts'
import type { ServerConfig } from './config.ts'
import { DiskGuard, type DiskGuardOptions } from './storage/data-folder/disk-guard.ts'
import type { SqliteFleet } from './storage/fleet/sqlite-fleet.ts'
import { Retention } from './storage/fleet/upkeep/check-in-retention.ts'
import { DeviceRetention } from './storage/fleet/upkeep/device-retention.ts'
import { Erasures } from './storage/fleet/upkeep/erasures.ts'
import { Reclaim } from './storage/fleet/upkeep/reclaim.ts'

interface Parts {
  readonly config: ServerConfig
  readonly log: Logger
  readonly catalog: Catalog
  readonly fleet: SqliteFleet
  readonly disk: Pick<DiskGuardOptions, 'freeBytes' | 'interval'> | undefined
  /** Returns a failure handler that logs what failed. */
  readonly failed: (what: string) => (error: unknown) => void
}

/** Background jobs of the fleet. */
export interface FleetJobs {
  readonly erasures: Erasures
  /** Stops the jobs, each after the work in progress. */
  stop(): Promise<void>
}

/** Starts the jobs that keep the fleet within its limits. */
export async function startFleetJobs(parts: Parts): Promise<FleetJobs> {
  const { config, catalog, failed } = parts
  const { memory, database } = parts.fleet
  const clock = () => catalog.now()
  const guard = diskGuard(parts)
  const reclaim = new Reclaim(memory, config.keepCheckInDays, clock)
  const onFailure = failed('could not delete old check-ins')
  const retention = new Retention(database, config.keepCheckInDays, onFailure, clock)
  const devices = deviceRetention(parts)
  const erasures = new Erasures(memory, {
    revision: () => catalog.snapshot.revision,
    pending: () => database.read('pendingErasures'),
    onFailure: failed('could not forget devices'),
  })
  await guard.start()
  const jobs = [reclaim, retention, devices, erasures]
  for (const job of jobs) job.start()
  const stop = async () => {
    for (const job of [guard, ...jobs].reverse()) await job.stop()
  }
  return { erasures, stop }
}

function diskGuard({ config, log, fleet, disk, failed }: Parts): DiskGuard {
  return new DiskGuard({
    folder: config.dataFolder,
    minFreeMiB: config.budgets.minFreeDiskMiB,
    onChange: (isNearlyFull) => {
      fleet.admission.addsRows = !isNearlyFull
      if (isNearlyFull) log.warn('low disk space: checks without a key add no rows')
      else log.info('enough disk space again')
    },
    onFailure: failed('could not read the free disk space'),
    ...disk,
  })
}

function deviceRetention({ config, log, catalog, fleet, failed }: Parts) {
  const { memory, database } = fleet
  return new DeviceRetention(memory, {
    keepDays: config.keepDeviceDays,
    keepSeenOnceDays: config.keepSeenOnceDays,
    find: (query) => database.read('staleDevices', query),
    findFreed: (chunks) => database.read('freedDevices', chunks),
    onFailure: failed('could not delete inactive devices'),
    onDeleted: (devices) => log.info({ devices }, 'deleted inactive devices'),
    clock: () => catalog.now(),
  })
}
