import type { Logger } from 'pino'
import type { Catalog } from './catalog/catalog.ts'
import type { ServerConfig } from './config.ts'
import type { Fleet } from './fleet/fleet.ts'
import { Reclaim } from './fleet/profiles/reclaim.ts'
import { DeviceRetention } from './fleet/retention/device-retention.ts'
import { Erasures } from './fleet/retention/erasures.ts'
import { Retention } from './fleet/retention/retention.ts'
import { whileLeading } from './leadership.ts'
import type { SpaceReading, SpaceWatch, Storage } from './storage/interface/storage.ts'

interface Parts {
  readonly config: ServerConfig
  readonly log: Logger
  readonly catalog: Catalog
  readonly fleet: Fleet
  readonly storage: Storage
  readonly disk: SpaceReading | undefined
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
  const { config, storage, catalog, fleet, failed } = parts
  const clock = () => catalog.now()
  const space = spaceWatch(parts)
  const reclaim = new Reclaim(fleet, config.keepCheckInDays, clock)
  const onFailure = failed('could not delete old check-ins')
  const retention = new Retention(storage.fleet, config.keepCheckInDays, onFailure, clock)
  const devices = deviceRetention(parts)
  const erasures = new Erasures(fleet, {
    revision: () => catalog.snapshot.revision,
    pending: () => storage.fleet.read('pendingErasures'),
    onFailure: failed('could not forget devices'),
  })
  await space.start()
  const stopLeading = whileLeading(storage.leadership('fleet_jobs'), [reclaim, retention, devices])
  // Every server forgets devices: each has its own fleet in memory.
  erasures.start()
  const stop = async () => {
    await erasures.stop()
    await stopLeading()
    await space.stop()
  }
  return { erasures, stop }
}

function spaceWatch({ config, log, fleet, storage, disk, failed }: Parts): SpaceWatch {
  return storage.watchSpace({
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

function deviceRetention({ config, log, catalog, fleet, storage, failed }: Parts) {
  return new DeviceRetention(fleet, {
    keepDays: config.keepDeviceDays,
    keepSeenOnceDays: config.keepSeenOnceDays,
    find: (query) => storage.fleet.read('staleDevices', query),
    findFreed: (chunks) => storage.fleet.read('freedDevices', chunks),
    onFailure: failed('could not delete inactive devices'),
    onDeleted: (devices) => log.info({ devices }, 'deleted inactive devices'),
    clock: () => catalog.now(),
  })
}
