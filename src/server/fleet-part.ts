import type { Logger } from 'pino'
import type { Catalog } from './catalog/catalog.ts'
import type { Closing } from './closing.ts'
import type { ServerConfig } from './config.ts'
import { startFleetJobs } from './fleet-jobs.ts'
import type { DiskGuardOptions } from './storage/data-folder/disk-guard.ts'
import { SqliteFleet } from './storage/fleet/sqlite-fleet.ts'
import type { Erasures } from './storage/fleet/upkeep/erasures.ts'

interface Parts {
  readonly config: ServerConfig
  /** The prepared database. */
  readonly file: string
  readonly log: Logger
  readonly closing: Closing
  readonly catalog: Catalog
  readonly disk: Pick<DiskGuardOptions, 'freeBytes' | 'interval'> | undefined
  /** Rejects when writing is not allowed. */
  readonly beforeWrite: () => Promise<void>
  /** Returns a failure handler that logs what failed. */
  readonly failed: (what: string) => (error: unknown) => void
}

/** The fleet, its store, and the jobs that keep it within its limits. */
export interface FleetPart {
  readonly fleet: SqliteFleet
  readonly erasures: Erasures
}

/** Loads the fleet and starts its jobs. */
export async function openFleet(parts: Parts): Promise<FleetPart> {
  const { config, file, log, closing, catalog, disk, beforeWrite, failed } = parts
  const { labelBytes, newDevices, combinations } = config.budgets
  const fleet = await SqliteFleet.open(file, {
    beforeWrite,
    onFailure: failed('could not write telemetry'),
    onSetAside: (heartbeats, reason) =>
      log.error({ heartbeats, reason }, 'telemetry rejected by the database was set aside'),
    onUsedUp: (budget) => log.warn({ budget }, 'limit reached'),
    clock: () => catalog.now(),
    ...{ labelBytes, newDevices, combinations },
  })
  closing.add(() => fleet.close())
  const jobs = await startFleetJobs({ config, log, catalog, fleet, disk, failed })
  closing.add(() => jobs.stop())
  return { fleet, erasures: jobs.erasures }
}
