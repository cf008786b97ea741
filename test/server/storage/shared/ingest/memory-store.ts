import type {
  AdoptionCell,
  ChannelTraffic,
  DeviceRecord,
  VersionPresence,
} from '../../../../../src/server/fleet/facts.ts'
import { LiveFeed } from '../../../../../src/server/fleet/ingest/live-feed.ts'
import { applyDelta } from '../../../../../src/server/fleet/labels.ts'
import type {
  FleetLoader,
  LogSweep,
  TelemetryBatch,
  TelemetryDatabase,
  TelemetryState,
} from '../../../../../src/server/storage/shared/batch.ts'
import { CHECK_IN_WIDTH, DEVICE_ROW_WIDTH } from '../../../../../src/server/storage/shared/batch.ts'
import { ClosedChannels } from '../../../../../src/server/storage/shared/ingest/closed-channels.ts'
import { PendingBatch } from '../../../../../src/server/storage/shared/ingest/pending-batch.ts'
import { FleetMemory } from '../../../../../src/server/storage/shared/memory/fleet-memory.ts'
import type { LabelMap } from '../../../../../src/shared/names.ts'

/** The milliseconds that writing device rows takes, as it says. */
export const ROWS_TIME = 1

/** What becomes of a commit. */
export type Fate = 'succeeds' | 'fails' | 'is rejected' | 'commits, then fails'

/** The state of a database in which nothing is stored. */
export const EMPTY_STATE: TelemetryState = {
  batch: 0,
  lastCheckIn: 0,
  rowsThrough: 0,
  lost: 0,
  lastDevice: 0,
  lastProfile: 0,
  lastRelease: 0,
}

/** A batch in which nothing waits, of a memory without devices. */
export function emptyBatch() {
  const memory = new FleetMemory(10)
  const feed = new LiveFeed(() => {})
  return {
    memory,
    pending: new PendingBatch(memory, new ClosedChannels(memory), feed, EMPTY_STATE),
  }
}

/** A fleet store in memory that fails when it is told to. It keeps what the tests ask for. */
export class MemoryFleetStore implements TelemetryDatabase {
  /** Of the commits to come, in order; those beyond succeed. */
  fates: Fate[] = []
  /** Batch numbers in the order in which commits were tried. */
  readonly tries: number[] = []
  readonly checkIns: number[] = []
  /** Numbers of the batches that were committed without what a constraint refuses. */
  readonly salvaged: number[] = []
  readonly deviceRows: number[] = []
  readonly storedLabels = new Map<number, LabelMap>()
  mostAtOnce = 0
  /** Awaited by every read of labels, before or after it looks. */
  beforeLabels: () => Promise<void> = async () => {}
  #atOnce = 0
  #batch = 0
  #held: Promise<void> = Promise.resolve()

  /** Holds up commits until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#held = promise
    return resolve
  }

  async state(): Promise<TelemetryState> {
    return { ...EMPTY_STATE, batch: this.#batch }
  }

  async load(_loader: FleetLoader): Promise<void> {}

  async commit(batch: TelemetryBatch): Promise<number> {
    this.tries.push(batch.number)
    this.#atOnce++
    this.mostAtOnce = Math.max(this.mostAtOnce, this.#atOnce)
    await this.#held
    // A commit never answers at once.
    await new Promise(setImmediate)
    this.#atOnce--
    const fate = this.fates.shift() ?? 'succeeds'
    if (fate === 'is rejected') throw Object.assign(new Error('rejected'), { code: 'rejected' })
    if (fate !== 'fails') this.#apply(batch)
    if (fate !== 'succeeds') throw new Error('the store fails on purpose')
    return ROWS_TIME
  }

  #apply({ number, checkIns, deviceRows, labels }: TelemetryBatch): void {
    if (number <= this.#batch) return
    this.#batch = number
    for (let at = 0; at < checkIns.length; at += CHECK_IN_WIDTH) {
      this.checkIns.push(checkIns[at] ?? 0)
    }
    for (let at = 0; at < deviceRows.length; at += DEVICE_ROW_WIDTH) {
      this.deviceRows.push(deviceRows[at + DEVICE_ROW_WIDTH - 1] ?? 0)
    }
    for (const [device, change] of labels) {
      this.storedLabels.set(device, applyDelta(this.storedLabels.get(device) ?? {}, change))
    }
  }

  async salvage(batch: TelemetryBatch): Promise<number> {
    this.salvaged.push(batch.number)
    this.#apply(batch)
    return 1
  }

  async labels(ids: readonly number[]): Promise<LabelMap[]> {
    const found = ids.map((id) => this.storedLabels.get(id) ?? {})
    await this.beforeLabels()
    return found
  }

  async deleteCheckIns(): Promise<number> {
    return 0
  }

  async sweepCheckIns(): Promise<LogSweep> {
    return { below: 0, later: 0 }
  }

  async deleteHourlyAdoption(): Promise<number> {
    return 0
  }

  async sampleHealth(): Promise<void> {}

  async device(): Promise<DeviceRecord | undefined> {
    return undefined
  }

  async versions(): Promise<VersionPresence[]> {
    return []
  }

  async traffic(): Promise<ChannelTraffic[]> {
    return []
  }

  async adoption(): Promise<AdoptionCell[]> {
    return []
  }

  async close(): Promise<void> {}
}
