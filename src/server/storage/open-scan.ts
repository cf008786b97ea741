import type { ScannedDevice, ScanTicket } from '../fleet/facts.ts'
import { readSqliteScan } from './sqlite/fleet/reads/device-scan.ts'

/**
 * Reads the committed devices of a scan, slice by slice. Only for a thread that answers no requests: see the stores. Throws
 * `StorageError`. Apart from `open-storage.ts`, because the thread that counts previews loads nothing else of the storage.
 */
export async function* readScan(
  ticket: ScanTicket,
): AsyncGenerator<readonly ScannedDevice[], void> {
  if (ticket.store === 'postgres') {
    const { readPostgresScan } = await import('./postgres/fleet/list/scan-reader.ts')
    yield* readPostgresScan(ticket)
  } else yield* readSqliteScan(ticket)
}
