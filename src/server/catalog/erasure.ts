import { createHash } from 'node:crypto'
import { type Actor, auditEntry } from './audit-log.ts'
import type { Catalog } from './catalog.ts'
import type { AppRecord } from './records.ts'

/**
 * Requests that a device be forgotten: stores a request that survives a restart, and its audit entry, in
 * one transaction. A running server carries it out within a second (`Erasures`).
 *
 * The entry names the device by the SHA-256 of its id, so that no stored data identifies the device,
 * but anyone who knows the id can find the entry.
 */
export async function requestErasure(
  catalog: Catalog,
  actor: Actor,
  app: AppRecord,
  deviceId: string,
): Promise<void> {
  const before = { deviceIdSha256: createHash('sha256').update(deviceId).digest('hex') }
  const subject = { app: app.ref }
  await catalog.change(async (tx) => {
    await tx.requestErasure(app.key, deviceId)
    const at = catalog.timestamp()
    await tx.appendAudit(auditEntry(at, actor, 'device.forgotten', subject, before, null))
  })
}
