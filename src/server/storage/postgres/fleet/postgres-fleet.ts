import type { LabelMap } from '../../../../shared/names.ts'
import type { CatalogRemoval, RemovalOutcome } from '../../../catalog/store.ts'
import type { CheckIn, FleetFacts, OutcomeReport } from '../../../fleet/check-in.ts'
import type { DevicePage, DeviceQuery } from '../../../fleet/device-query.ts'
import type { DeviceName, DeviceScan, ScanFilter } from '../../../fleet/facts.ts'
import { DEFAULTS, type FleetOptions } from '../../../fleet/fleet-options.ts'
import { Admission } from '../../../fleet/ingest/admission.ts'
import { Budgets } from '../../../fleet/ingest/budgets.ts'
import { LiveFeed } from '../../../fleet/ingest/live-feed.ts'
import { NotStored } from '../../../fleet/ingest/not-stored.ts'
import { type LabelDelta, NO_LABELS } from '../../../fleet/labels.ts'
import type { CheckInRule, DeviceRule, TelemetryHealth } from '../../../fleet/store.ts'
import type { StoredFleet } from '../../interface/storage.ts'
import { TelemetryWriter } from '../../shared/ingest/writer.ts'
import type { Changes } from '../changes/changes.ts'
import type { PostgresDatabase } from '../connection/database.ts'
import { storageError } from '../connection/errors.ts'
import { type FactBatch, QueuedFacts } from './ingest/queued-facts.ts'
import type { StoredFacts, WritingNode } from './ingest/slice-store.ts'
import { TelemetryStore } from './ingest/telemetry-store.ts'
import { DeviceLabels } from './labels/device-labels.ts'
import { PostgresDeviceList } from './list/device-list.ts'
import { PostgresFleetReads } from './reads/fleet-reads.ts'
import { PostgresRemovals } from './removal/removals.ts'
import { sampleHealth } from './upkeep/health-samples.ts'
import { ensurePartitions } from './upkeep/partitions.ts'
import { retireProfiles } from './upkeep/profile-retirement.ts'
import { PostgresRetention } from './upkeep/retention.ts'

/** Milliseconds that a graceful stop may take for writing. */
const STOP_TIME = 15_000

/** Where a fleet is stored, and by whom. */
export interface FleetPlace {
  readonly database: PostgresDatabase
  /** Of the same database. */
  readonly changes: Changes
  /** The node that writes, as it is at the moment. */
  readonly node: () => WritingNode
}

interface Parts extends Pick<FleetPlace, 'database' | 'node'> {
  readonly retention: PostgresRetention
  readonly removals: PostgresRemovals
}

/**
 * The fleet of a node on PostgreSQL. Nothing about a device is kept in memory but labels that it has just read: what is
 * recorded waits in a queue, and is applied to the rows of the devices in the transaction that stores it.
 */
export class PostgresFleet extends PostgresFleetReads implements StoredFleet {
  readonly feed: LiveFeed
  readonly budgets: Budgets
  readonly admission: Admission
  readonly labelBytes: number
  readonly newestSeenAtStart: number
  readonly #database: PostgresDatabase
  readonly #queue = new QueuedFacts()
  readonly #writer: TelemetryWriter<FactBatch>
  readonly #labels: DeviceLabels
  readonly #list: PostgresDeviceList
  readonly #retention: PostgresRetention
  readonly #removals: PostgresRemovals

  /** Rejects with `StorageError`. */
  static async open(
    { database, changes, node }: FleetPlace,
    options: FleetOptions,
  ): Promise<PostgresFleet> {
    await ensurePartitions(database, (options.clock ?? DEFAULTS.clock)())
    const retention = new PostgresRetention(database)
    const parts = { database, node, retention, removals: new PostgresRemovals(database, changes) }
    return new PostgresFleet(parts, options, await retention.newestSeen())
  }

  private constructor(
    { database, node, retention, removals }: Parts,
    options: FleetOptions,
    newestSeen: number,
  ) {
    super(database)
    const all = { ...DEFAULTS, ...options }
    const { onFailure, onSetAside, onUsedUp, clock, newDevices, labelBytes } = all
    this.#database = database
    this.#retention = retention
    this.#removals = removals
    this.#labels = new DeviceLabels(database, { pending: this.#queue.pendingLabels })
    this.#list = new PostgresDeviceList(database, { clock })
    this.feed = new LiveFeed(onFailure)
    this.budgets = new Budgets({ clock, onUsedUp })
    this.admission = new Admission(newDevices, this.budgets, { sharers: options.sharers })
    this.labelBytes = labelBytes
    this.newestSeenAtStart = newestSeen
    const store = new TelemetryStore(database, {
      ...{ node, clock, labelBytes },
      combinations: all.combinations,
      isRolledBack: all.isRolledBack,
      ensurePartition: (at) => ensurePartitions(database, at),
      // Devices take no memory here, so only the budget of the address counts.
      admits: (caller) => this.admission.admits(caller, 0),
      onUsedUp: (budget) => this.budgets.usedUp(budget),
      onStored: (stored) => this.#stored(stored),
    })
    this.#writer = new TelemetryWriter(this.#queue, store, 0, { onFailure, onSetAside })
  }

  /** `lost`: since this node was started. */
  get health(): TelemetryHealth {
    const { failure } = this.#writer
    const { waiting: queued, lost } = this.#queue
    const problem = failure && storageError(failure, this.#database.location).problem
    return { queued, lost, failure: problem, budgets: this.budgets.recent }
  }

  record(checkIn: CheckIn, labels?: LabelDelta): void {
    this.#queue.add({ kind: 'check_in', checkIn, labels })
    this.#writer.notify()
  }

  recordOutcome(report: OutcomeReport): void {
    this.#queue.add({ kind: 'outcome', report })
    this.#writer.notify()
  }

  async commit(facts: FleetFacts): Promise<void> {
    const call = this.#queue.addAll(facts)
    await this.#writer.settled()
    if (call.isRefused) throw new NotStored('channel_removed')
  }

  /** What people read includes what was recorded before, unless that cannot be stored. */
  protected override async settle(): Promise<void> {
    if (this.#queue.dirty) await this.#writer.settled().catch(() => {})
  }

  settled(): Promise<void> {
    return this.#writer.settled()
  }

  labelsInMemory(appKey: number, deviceId: string): LabelMap | undefined {
    return this.#labels.inMemory(appKey, deviceId)
  }

  labelsOf(appKey: number, deviceIds: readonly string[]): Promise<LabelMap[]> {
    return this.#labels.of(appKey, deviceIds)
  }

  devices(query: DeviceQuery): Promise<DevicePage> {
    return this.#list.devices(query)
  }

  scan(filter: ScanFilter): Promise<DeviceScan> {
    return this.#list.scan(filter)
  }

  remove(removal: CatalogRemoval): Promise<RemovalOutcome> {
    return this.#removals.remove(removal)
  }

  retainCheckIns(rule: CheckInRule): AsyncIterable<void> {
    return this.#retention.retainCheckIns(rule)
  }

  retainDevices(rule: DeviceRule): AsyncIterable<number> {
    return this.#retention.retainDevices(rule)
  }

  pendingErasures(): Promise<readonly DeviceName[]> {
    return this.#retention.pendingErasures()
  }

  async forget(names: readonly DeviceName[]): Promise<void> {
    // What this node has recorded of them would bring them back.
    await this.settle()
    await this.#retention.forget(names)
    for (const { appKey, deviceId } of names) this.#labels.stored(appKey, deviceId, NO_LABELS)
  }

  sampleHealth(now: number): Promise<void> {
    return sampleHealth(this.#database, now)
  }

  retireProfiles(before: number, after: number): Promise<number> {
    return retireProfiles(this.#database, before, after)
  }

  async stop(): Promise<void> {
    await this.#writer.drain(Date.now() + STOP_TIME)
    await this.#removals.close()
  }

  #stored({ events, labels }: StoredFacts): void {
    for (const event of events) this.feed.announce(event)
    for (const { appKey, deviceId, labels: all } of labels) {
      this.#labels.stored(appKey, deviceId, all)
    }
  }
}
