import { countActiveDevices } from '../../../shared/memory/active-devices.ts'
import type { Connection } from '../../database.ts'
import { createErasureReader } from '../database/erasure.ts'
import { findFreed } from '../removal/freed-numbers.ts'
import { findStale, type StaleQuery } from '../removal/stale-devices.ts'
import { createCounterReaders } from './counter-reads.ts'
import { createOldestReader, createOriginReader } from './device-origin.ts'
import { createDeviceReaders } from './device-readers.ts'
import { createChartReaders } from './fleet-charts.ts'
import { createHealthReaders } from './health-reads.ts'

/**
 * The readers of the reader thread, by name. Arguments and results of a reader are what structured clone can
 * copy (a `SharedArrayBuffer` is shared), and leaves no read open behind it.
 */
export function createReaders(database: Connection) {
  const origin = createOriginReader(database)
  const oldestCheckIn = createOldestReader(database)
  return {
    ...createCounterReaders(database),
    ...createDeviceReaders(database),
    ...createChartReaders(database),
    ...createHealthReaders(database),
    activeDevices: countActiveDevices,
    freedDevices: (chunks: readonly SharedArrayBuffer[]) => findFreed(chunks, oldestCheckIn()),
    pendingErasures: createErasureReader(database),
    staleDevices: (query: StaleQuery) => findStale(query, origin),
  } satisfies Record<string, (...args: never[]) => unknown>
}

export type Readers = ReturnType<typeof createReaders>
