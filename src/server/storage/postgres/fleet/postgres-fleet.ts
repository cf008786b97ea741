import { DEFAULTS, type FleetOptions } from '../../../fleet/fleet.ts'
import { Admission } from '../../../fleet/ingest/admission.ts'
import { Budgets } from '../../../fleet/ingest/budgets.ts'
import { LiveFeed } from '../../../fleet/ingest/live-feed.ts'
import { NotStored } from '../../../fleet/ingest/not-stored.ts'
import { NO_LABELS } from '../../../fleet/labels.ts'
import type { StoredFleet } from '../../interface/storage.ts'
import { TelemetryWriter } from '../../shared/ingest/writer.ts'
import type { Changes } from '../changes/changes.ts'
import type { PostgresDatabase } from '../connection/database.ts'
import { storageError } from '../connection/errors.ts'
import { QueuedFacts } from './ingest/queued-facts.ts'
import type { WritingNode } from './ingest/slice-store.ts'
import { TelemetryStore } from './ingest/telemetry-store.ts'
import { DeviceLabels } from './labels/device-labels.ts'
import { PostgresDeviceList } from './list/device-list.ts'
import { fleetReads } from './reads/fleet-reads.ts'
import { PostgresRemovals } from './removal/removals.ts'
import { forgetDevices, pendingErasures } from './upkeep/erasures.ts'
import { sampleHealth } from './upkeep/health-samples.ts'
import { ensurePartitions } from './upkeep/partitions.ts'
import { retireProfiles } from './upkeep/profile-retirement.ts'
import { checkInRetention, deleteOldDevices, newestSeen } from './upkeep/retention.ts'

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

/**
 * Opens the fleet of a node on PostgreSQL. Nothing about a device is kept in memory but labels that it has just read: what is
 * recorded waits in a queue, and is applied to the rows of the devices in the transaction that stores it. Rejects with
 * `StorageError`.
 */
export async function openPostgresFleet(
  { database, changes, node }: FleetPlace,
  options: FleetOptions,
): Promise<StoredFleet> {
  const all = { ...DEFAULTS, ...options }
  const { onFailure, onSetAside, onUsedUp, clock, newDevices, labelBytes } = all
  await ensurePartitions(database, clock())
  const newestSeenAtStart = await newestSeen(database)
  const queue = new QueuedFacts()
  const deviceLabels = new DeviceLabels(database, { pending: queue.pendingLabels })
  const list = new PostgresDeviceList(database, { clock })
  const removals = new PostgresRemovals(database, changes)
  const feed = new LiveFeed(onFailure)
  const budgets = new Budgets({ clock, onUsedUp })
  const admission = new Admission(newDevices, budgets, { sharers: options.sharers })
  const store = new TelemetryStore(database, {
    ...{ node, clock, labelBytes },
    combinations: all.combinations,
    isRolledBack: all.isRolledBack,
    ensurePartition: (at) => ensurePartitions(database, at),
    // Devices take no memory here, so only the budget of the address counts.
    admits: (caller) => admission.admits(caller, 0),
    onUsedUp: (budget) => budgets.usedUp(budget),
    onStored({ events, labels }) {
      for (const event of events) feed.announce(event)
      for (const each of labels) deviceLabels.stored(each.appKey, each.deviceId, each.labels)
    },
  })
  const writer = new TelemetryWriter(queue, store, 0, { onFailure, onSetAside })
  /** What people read includes what was recorded before, unless that cannot be stored. */
  const settle = async () => {
    if (queue.dirty) await writer.settled().catch(() => {})
  }
  return {
    ...fleetReads(database, settle),
    ...{ feed, budgets, admission, labelBytes },
    newestSeenAtStart,
    /** `lost`: since this node was started. */
    get health() {
      const { failure } = writer
      const { waiting: queued, lost } = queue
      const problem = failure && storageError(failure, database.location).problem
      return { queued, lost, failure: problem, budgets: budgets.recent }
    },
    record(checkIn, labels) {
      queue.add({ kind: 'check_in', checkIn, labels })
      writer.notify()
    },
    recordOutcome(report) {
      queue.add({ kind: 'outcome', report })
      writer.notify()
    },
    async commit(facts) {
      const call = queue.addAll(facts)
      await writer.settled()
      if (call.isRefused) throw new NotStored('channel_removed')
    },
    settled: () => writer.settled(),
    labelsInMemory: (appKey, deviceId) => deviceLabels.inMemory(appKey, deviceId),
    labelsOf: (appKey, deviceIds) => deviceLabels.of(appKey, deviceIds),
    devices: (query) => list.devices(query),
    remove: (removal) => removals.remove(removal),
    retainCheckIns: checkInRetention(database),
    retainDevices: (rule) => deleteOldDevices(database, rule),
    pendingErasures: () => pendingErasures(database),
    async forget(names) {
      // What this node has recorded of them would bring them back.
      await settle()
      await forgetDevices(database, names)
      for (const { appKey, deviceId } of names) deviceLabels.stored(appKey, deviceId, NO_LABELS)
    },
    sampleHealth: (now) => sampleHealth(database, now),
    retireProfiles: (before, after) => retireProfiles(database, before, after),
    async stop() {
      await writer.drain(Date.now() + STOP_TIME)
      await removals.close()
    },
  }
}
