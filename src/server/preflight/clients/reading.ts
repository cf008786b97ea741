import type { PreflightCode } from '../../../shared/releases/preflight-policy.ts'
import type { ServedRelease } from '../../catalog/snapshot.ts'
import type { AskingDevice } from '../groups.ts'

export interface Fault {
  readonly code: PreflightCode
  readonly expected?: string
  readonly found?: string
  readonly file?: string
}

export interface OfferedAnswer {
  readonly body: string
  readonly device: AskingDevice
  /** What is offered. */
  readonly release: ServedRelease
  /** What the device runs; undefined if the channel has no such release. */
  readonly running: ServedRelease | undefined
  /** True if what is offered is below what the device runs. */
  readonly allowDowngrade: boolean
}

/** Reads an answer as an updater does. Returns why it would not install the release; empty if it would. */
export type ReadAnswer = (answer: OfferedAnswer) => Fault[]

/** Runs a reader that throws for what its updater cannot read. */
export function readOr(unreadable: Fault, read: () => Fault[]): Fault[] {
  try {
    return read()
  } catch {
    return [unreadable]
  }
}
