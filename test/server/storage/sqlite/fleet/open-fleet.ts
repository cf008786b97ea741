import { onTestFinished } from 'vitest'
import type { CheckIn } from '../../../../../src/server/fleet/check-in.ts'
import type { FleetOptions } from '../../../../../src/server/fleet/fleet.ts'
import { ProfileClaim } from '../../../../../src/server/fleet/profile-claim.ts'
import type { TelemetryDatabase } from '../../../../../src/server/storage/shared/batch.ts'
import { openFleetDatabase } from '../../../../../src/server/storage/sqlite/fleet/database/fleet-database.ts'
import { openFleetInMemory } from '../../../../../src/server/storage/sqlite/fleet/fleet-in-memory.ts'
import type { FleetFile } from '../../../../support/builders/fleet-file.ts'

export const START = Date.UTC(2026, 2, 14, 9)

/** A clock that stands until it is moved. */
export class Clock {
  now = START
  readonly read = () => this.now
}

/** Opens a fleet on a store, with the failures of its writes. */
export async function openFleet(
  store: TelemetryDatabase,
  clock = new Clock(),
  options: Partial<FleetOptions> = {},
) {
  const failures: unknown[] = []
  const onFailure = (error: unknown) => failures.push(error)
  const fleet = await openFleetInMemory(store, { onFailure, clock: clock.read, ...options })
  return { fleet, clock, failures }
}

/** The same on a database, closed after the test. */
export async function openFile(
  { file }: FleetFile,
  clock?: Clock,
  options?: Partial<FleetOptions>,
) {
  const store = openFleetDatabase(file)
  const opened = await openFleet(store, clock, options)
  let closed: Promise<void> | undefined
  const close = () => (closed ??= opened.fleet.stop().then(() => store.close()))
  /** As a crash leaves it: what is committed stays, nothing else is written. */
  const crash = async () => {
    closed = store.close()
    await closed
  }
  onTestFinished(close)
  return { ...opened, store, close, crash }
}

/** A check of device `one` at the start. */
export function checkIn(keys: FleetFile, more: Partial<CheckIn> = {}): CheckIn {
  const profile = new ProfileClaim(keys.stable, '1.0.0', 'linux', 'x86_64')
  const common = { profile, at: START, source: 'check', reason: 'up_to_date' } as const
  return { appKey: keys.editor, deviceId: 'one', ...common, ...more }
}
