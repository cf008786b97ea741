import type { BackupStatus } from '../../shared/console/settings/backups.ts'
import type { CertificateState } from '../../shared/operation/certificate.ts'
import type { DatabaseTrouble } from '../../shared/operation/storage-problem.ts'
import type { Backups } from '../backups/backups.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { ActiveDevices } from '../fleet/facts.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { TelemetryHealth } from '../fleet/store.ts'
import type { BucketOutage } from '../hosting/bucket/bucket-failure.ts'
import type { LogHealth } from '../runtime/log/log-writer.ts'
import type { StorageEngine, StorageSpace } from '../storage/interface/engine.ts'

/** Milliseconds for which one query of the database answers all callers. */
const PROBE_AGE = 1_000
/** Milliseconds for sizes and backups, which are read from the disk. */
const DISK_AGE = 10_000
/** Milliseconds for what is counted over all devices. */
const DEVICES_AGE = 60_000

/**
 * How the database answers:
 * - `current`: with nothing that the catalog in memory does not have
 * - `stale`: with newer changes that cannot be loaded
 * - `failing`: not at all
 * - `out_of_contact`: not for so long that the catalog in memory may not be served
 */
export type DatabaseState = 'current' | 'stale' | 'failing' | 'out_of_contact'

/** What people and programs watch a server by. */
export interface ServerFacts {
  /** Unix time in milliseconds. */
  readonly startedAt: number
  readonly database: DatabaseState
  /** What happened to the files of the database since they were opened; null if nothing. */
  readonly trouble: DatabaseTrouble | null
  /** Of the catalog in memory. */
  readonly revision: number
  /** null if the sizes cannot be read. */
  readonly space: StorageSpace | null
  readonly telemetry: TelemetryHealth
  readonly backups: BackupStatus
  /** null without TLS. */
  readonly certificate: CertificateState | null
  readonly log: LogHealth
  /** Whether the bucket for stored files can be used; null without one. */
  readonly bucket: 'ok' | 'failing' | null
}

export interface MonitorParts {
  /** Whether what this server has in memory may be served. */
  readonly mayServe: () => boolean
  readonly catalog: Catalog
  readonly fleet: Pick<Fleet, 'health' | 'activeDevices'>
  readonly backups: Backups
  readonly engine: Pick<StorageEngine, 'space' | 'location'>
  /** What happened to the database's files since the start, null if they are in place. */
  readonly databaseTrouble: () => DatabaseTrouble | null
  /** The certificate that the server answers with; null without TLS. */
  readonly certificate: () => CertificateState | null
  /** Whether log lines are being lost. */
  readonly logHealth: () => LogHealth
  /** Whether stored files are in a bucket. */
  readonly hasBucket: boolean
  /** Why the bucket for stored files cannot be used for a while; null if it can, and without one. */
  readonly bucketOutage: () => BucketOutage | null
  readonly minFreeBytes: number
  readonly dataFolder: string
  /** Hears what could not be read. */
  readonly onFailure: (error: unknown) => void
  /** Returns the free bytes on the disk of the data, in place of what the engine reads. */
  readonly freeBytes?: (() => Promise<number>) | undefined
}

/** Reads the state of a running server, however many ask, at a bounded cost. */
export class Monitor {
  /** Queries the database, at most once per second. */
  readonly database: () => Promise<DatabaseState>
  /** Counts recent devices of every profile, at most once per minute; null if they cannot be counted. */
  readonly devices: () => Promise<readonly ActiveDevices[] | null>
  readonly #disk: () => Promise<Pick<ServerFacts, 'space' | 'backups'>>
  readonly #parts: MonitorParts
  readonly #startedAt = Date.now()
  readonly #began = performance.now()

  constructor(parts: MonitorParts) {
    this.#parts = parts
    const { catalog, fleet } = parts
    const probe = aged(PROBE_AGE, () => this.#probe())
    this.database = async () => (parts.mayServe() ? await probe() : 'out_of_contact')
    this.#disk = aged(DISK_AGE, async () => {
      const [space, backups] = await Promise.all([
        this.#orNull(this.#space()),
        parts.backups.status(),
      ])
      return { space, backups }
    })
    this.devices = aged(DEVICES_AGE, () => this.#orNull(fleet.activeDevices(catalog.now())))
  }

  /** Since the server started. */
  get uptimeSeconds(): number {
    return Math.floor((performance.now() - this.#began) / 1_000)
  }

  /** Free space below which requests without a key add no data; 0 for no minimum. */
  get minFreeBytes(): number {
    return this.#parts.minFreeBytes
  }

  get dataFolder(): string {
    return this.#parts.dataFolder
  }

  /** The path of the database, or its address without user and password. */
  get databaseLocation(): string {
    return this.#parts.engine.location
  }

  async read(): Promise<ServerFacts> {
    const { catalog, fleet, databaseTrouble, certificate, logHealth } = this.#parts
    const [database, disk] = await Promise.all([this.database(), this.#disk()])
    return {
      startedAt: this.#startedAt,
      database,
      ...disk,
      trouble: databaseTrouble(),
      revision: catalog.snapshot.revision,
      telemetry: fleet.health,
      certificate: certificate(),
      log: logHealth(),
      bucket: this.#bucket(),
    }
  }

  #bucket(): ServerFacts['bucket'] {
    if (!this.#parts.hasBucket) return null
    return this.#parts.bucketOutage() === null ? 'ok' : 'failing'
  }

  async #probe(): Promise<DatabaseState> {
    const { catalog, onFailure } = this.#parts
    let stored: number
    try {
      stored = await catalog.store.revision()
    } catch (error) {
      onFailure(error)
      return 'failing'
    }
    try {
      if (catalog.snapshot.revision < stored) await catalog.refresh()
      return 'current'
    } catch (error) {
      onFailure(error)
      return 'stale'
    }
  }

  async #space(): Promise<StorageSpace> {
    const { engine, freeBytes } = this.#parts
    const space = await engine.space()
    return freeBytes === undefined ? space : { ...space, freeBytes: await freeBytes() }
  }

  #orNull<Result>(reading: Promise<Result>): Promise<Result | null> {
    return reading.catch((error) => {
      this.#parts.onFailure(error)
      return null
    })
  }
}

/** Returns a function that answers all callers with one result of `ask`, asked again once it is `age` milliseconds old. */
function aged<Result>(age: number, ask: () => Promise<Result>): () => Promise<Result> {
  let result: Promise<Result> | undefined
  let askedAt = 0
  return () => {
    const now = performance.now()
    if (result === undefined || now - askedAt >= age) {
      askedAt = now
      result = ask()
    }
    return result
  }
}
