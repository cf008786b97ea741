import { onTestFinished } from 'vitest'
import type { TelemetryBatch } from '../../../../../src/server/storage/shared/batch.ts'
import { CHECK_IN_WIDTH, DEVICE_ROW_WIDTH } from '../../../../../src/server/storage/shared/batch.ts'
import type { TelemetrySource } from '../../../../../src/server/storage/shared/ingest/telemetry-source.ts'
import { TelemetryWriter } from '../../../../../src/server/storage/shared/ingest/writer.ts'
import { eventually } from '../../../../support/eventually.ts'
import { type Fate, MemoryFleetStore } from './memory-store.ts'

/** Check-ins by number and device rows by number, waiting to be written. */
class Source implements TelemetrySource {
  checkIns: number[] = []
  deviceRows: number[] = []
  readonly acknowledged: number[] = []
  /** What the device rows of each batch took. */
  readonly rowsTimes: (number | undefined)[] = []
  lost = 0
  #last = 0

  get waiting(): number {
    return this.checkIns.length
  }

  get dirty(): boolean {
    return this.checkIns.length > 0 || this.deviceRows.length > 0
  }

  get dueIn(): number | undefined {
    return this.dirty ? 0 : undefined
  }

  put(count = 1): void {
    for (let left = count; left > 0; left--) this.checkIns.push(++this.#last)
  }

  get expected(): number[] {
    return Array.from({ length: this.#last }, (_, at) => at + 1)
  }

  takeBatch(number: number): TelemetryBatch {
    const none = new Float64Array()
    const checkIns = this.checkIns.flatMap((id) => [id, ...Array(CHECK_IN_WIDTH - 1).fill(0)])
    const taken = this.deviceRows.splice(0, 500)
    const deviceRows = taken.flatMap((id) => [...Array(DEVICE_ROW_WIDTH - 1).fill(0), id])
    this.checkIns = []
    return {
      ...{ number, profiles: [], newDevices: [], erased: [], labels: [], rowsThrough: 0, lost: 0 },
      ...{ changes: none, gone: none, profileRows: none, retired: none },
      ...{ adoption: none, hourly: none, presence: none, traffic: none },
      ...{ releases: [], health: none, details: [] },
      checkIns: Float64Array.from(checkIns),
      deviceRows: Float64Array.from(deviceRows),
    }
  }

  refused(count: number): void {
    this.lost += count
  }

  committed({ checkIns }: TelemetryBatch, rowsTime: number | undefined): void {
    this.rowsTimes.push(rowsTime)
    for (let at = 0; at < checkIns.length; at += CHECK_IN_WIDTH) {
      this.acknowledged.push(checkIns[at] ?? 0)
    }
  }
}

/** A writer between a source and a store of which the first commits end in these fates. */
export function setUp(...fates: Fate[]) {
  const source = new Source()
  const store = new MemoryFleetStore()
  store.fates.push(...fates)
  const failures: unknown[] = []
  const setAside: { checkIns: number; reason: Error | null }[] = []
  const writer = new TelemetryWriter(source, store, 0, {
    onFailure: (error) => failures.push(error),
    onSetAside: (checkIns, reason) => setAside.push({ checkIns, reason }),
  })
  onTestFinished(() => {
    store.fates = []
    return writer.drain(Date.now() + 5_000).catch(() => {})
  })
  const put = (count = 1) => {
    source.put(count)
    writer.notify()
  }
  const until = (condition: () => void) => eventually(condition)
  return { source, store, writer, failures, setAside, put, until }
}
