import type { TelemetryBatch } from '../batch.ts'

/** What the writer drains. */
export interface TelemetrySource {
  /** Check-ins that wait. */
  readonly waiting: number
  /** True if anything at all waits, device rows included. */
  readonly dirty: boolean
  /** Milliseconds until something that waits should be written; undefined if nothing waits. */
  readonly dueIn: number | undefined
  /** Everything that waits, with a portion of the device rows. */
  takeBatch(number: number): TelemetryBatch
  /** The batch is stored. `rowsTime`: the milliseconds that its device rows took, if that is known. */
  committed(batch: TelemetryBatch, rowsTime: number | undefined): void
  /** This many check-ins of a batch were permanently refused. */
  refused(count: number): void
}
