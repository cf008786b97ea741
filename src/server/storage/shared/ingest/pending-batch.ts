import type { LabelMap } from '../../../../shared/names.ts'
import type { CheckIn } from '../../../fleet/check-in.ts'
import type { DeviceName } from '../../../fleet/facts.ts'
import type { LiveFeed } from '../../../fleet/ingest/live-feed.ts'
import { composeDeltas, type LabelDelta } from '../../../fleet/labels.ts'
import {
  freePacked,
  type NewDevice,
  type OutcomeDetail,
  type TelemetryBatch,
  type TelemetryState,
} from '../batch.ts'
import type { FleetMemory } from '../memory/fleet-memory.ts'
import { ChangeQueue } from './change-queue.ts'
import { CheckInQueue } from './check-in-queue.ts'
import type { ClosedChannels } from './closed-channels.ts'
import { Counters } from './counters.ts'
import { DeviceRowFlusher } from './device-row-flusher.ts'
import type { TelemetrySource } from './telemetry-source.ts'

/** Most new devices that wait to be stored. */
const MAX_NEW_DEVICES = 200_000
/** Most details of outcomes that wait to be stored; others are dropped. */
const MAX_DETAILS = 1_000
/** Most check-ins that wait to be announced; others are passed over. */
const MAX_ANNOUNCED = 10_000

const NOTHING = { announced: [], passed: 0 } as const

/** A change of a device's labels that is not stored yet. */
export interface PendingLabels {
  readonly change: LabelDelta
  /** All labels of the device after the change; undefined if the others are only in the store. */
  readonly all: LabelMap | undefined
}

/**
 * Everything that waits to be stored. Each change of the memory is also added here, and the
 * writer takes it out in batches.
 */
export class PendingBatch implements TelemetrySource {
  /** Assigns the numbers of check-ins. */
  readonly checkIns: CheckInQueue
  readonly changes = new ChangeQueue()
  readonly counters = new Counters()
  readonly #memory: FleetMemory
  readonly #channels: ClosedChannels
  readonly #rows: DeviceRowFlusher
  readonly #feed: LiveFeed
  /** Of the check-ins that wait, those that the feed tells of, and how many it does not. */
  #announced: CheckIn[] = []
  #passed = 0
  /** The same of the batch that was taken. */
  #taken: { readonly announced: readonly CheckIn[]; readonly passed: number } = NOTHING
  /** By device, until they are committed. */
  readonly #labels = new Map<number, PendingLabels>()
  /** By app and id: a request is repeated while nothing can be written. */
  readonly #erased = new Map<string, DeviceName>()
  #newDevices: NewDevice[] = []
  #details: OutcomeDetail[] = []
  /** Packed as in `TelemetryBatch.gone`. */
  #gone: number[] = []

  constructor(
    memory: FleetMemory,
    channels: ClosedChannels,
    feed: LiveFeed,
    state: TelemetryState,
  ) {
    this.#memory = memory
    this.#feed = feed
    this.#channels = channels
    this.checkIns = new CheckInQueue(state.lastCheckIn, state.lost)
    this.#rows = new DeviceRowFlusher(memory.table, state.rowsThrough)
  }

  /** Returns whether that many new devices fit. */
  hasRoomFor(devices: number): boolean {
    return this.#newDevices.length + devices <= MAX_NEW_DEVICES
  }

  /** Adds a new device. There must be room for it. */
  addDevice(device: NewDevice): void {
    this.#newDevices.push(device)
  }

  /** Has the feed tell of a check-in once it is stored, or of which nothing but counters is. */
  announce(checkIn: CheckIn): void {
    if (this.#feed.isHeard && this.#announced.length < MAX_ANNOUNCED) this.#announced.push(checkIn)
    else this.#passed++
  }

  /** Adds what an app reported in words. */
  addDetail(detail: OutcomeDetail): void {
    if (this.#details.length < MAX_DETAILS) this.#details.push(detail)
  }

  /** Changes labels of a device. `all`: its labels after the change, if known. */
  changeLabels(device: number, change: LabelDelta, all: LabelMap | undefined): void {
    const waiting = this.#labels.get(device)?.change
    this.#labels.set(device, { change: waiting ? composeDeltas(waiting, change) : change, all })
  }

  /** The changes to a device's labels that are not committed yet. */
  labelsOf(device: number): PendingLabels | undefined {
    return this.#labels.get(device)
  }

  /** Deletes a device with all its data, including pending data. */
  deleteDevice(device: number, lastCheckIn: number, lastChange: number): void {
    this.#gone.push(device, lastCheckIn, lastChange)
    this.#newDevices = this.#newDevices.filter(({ id }) => id !== device)
    this.#details = this.#details.filter((detail) => detail.device !== device)
    this.#labels.delete(device)
  }

  /** Removes a request to forget a device from the list. */
  carriedOut(name: DeviceName): void {
    this.#erased.set(`${name.appKey} ${name.deviceId}`, name)
  }

  /** The stored device rows contain the check-ins up to this one. */
  get rowsThrough(): number {
    return this.#rows.rowsThrough
  }

  /** Writes device rows without pauses from now on, for a stop. */
  hurry(): void {
    this.#rows.hurry()
  }

  get waiting(): number {
    return this.checkIns.length
  }

  get dirty(): boolean {
    return this.#isDue || this.#memory.table.behind > 0
  }

  get dueIn(): number | undefined {
    return this.#isDue ? 0 : this.#rows.dueIn
  }

  takeBatch(number: number): TelemetryBatch {
    const [newDevices, details] = [this.#newDevices, this.#details]
    const gone = Float64Array.from(this.#gone)
    const erased = [...this.#erased.values()]
    this.#taken = { announced: this.#announced, passed: this.#passed }
    this.#announced = []
    this.#passed = 0
    this.#newDevices = []
    this.#details = []
    this.#gone = []
    this.#erased.clear()
    return {
      number,
      ...this.#rows.take(this.checkIns.lastId),
      ...{ gone, erased, newDevices, details },
      releases: this.#memory.releases.takeFresh(),
      ...this.#channels.withoutRemoved(this.#memory.profiles.takeChanges()),
      ...this.counters.take(),
      checkIns: this.checkIns.take(),
      changes: this.changes.take(),
      labels: Array.from(this.#labels, ([device, { change }]) => [device, change] as const),
      lost: this.checkIns.lost,
    }
  }

  /** Keeps labels that changed again since the batch was taken. Rows that were refused are announced as well. */
  committed(batch: TelemetryBatch, rowsTime: number | undefined): void {
    const { labels, deviceRows } = batch
    if (rowsTime !== undefined && deviceRows.length > 0) this.#rows.pace(rowsTime)
    for (const [device, stored] of labels) {
      if (this.#labels.get(device)?.change === stored) this.#labels.delete(device)
    }
    freePacked(batch)
    const { announced, passed } = this.#taken
    this.#taken = NOTHING
    this.#feed.pass(passed)
    for (const checkIn of announced) this.#feed.announce(checkIn)
  }

  refused(count: number): void {
    this.checkIns.lose(count)
  }

  get #isDue(): boolean {
    return this.checkIns.length > 0 || this.#gone.length > 0 || this.#erased.size > 0
  }
}
