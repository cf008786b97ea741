import type { TelemetryBatch } from '../batch.ts'

/** The source of the writer's batches. */
export interface TelemetrySource<Batch = TelemetryBatch> {
  /** Check-ins that wait. */
  readonly waiting: number
  /** True if anything is pending, including device rows. */
  readonly dirty: boolean
  /** Milliseconds until pending data should be written; undefined if there is none. */
  readonly dueIn: number | undefined
  /** Everything that is pending, with a part of the device rows. */
  takeBatch(number: number): Batch
  /** The batch is stored. `rowsTime`: the milliseconds that its device rows took, if that is known. */
  committed(batch: Batch, rowsTime: number | undefined): void
  /** This many check-ins of a batch were permanently refused. */
  refused(count: number): void
}
