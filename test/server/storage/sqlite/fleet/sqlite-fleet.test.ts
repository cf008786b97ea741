import { expect, onTestFinished } from 'vitest'
import type { AuditEntry } from '../../../../../src/server/catalog/audit-log.ts'
import { openStorage } from '../../../../../src/server/storage/open-storage.ts'
import { makeFleetFile } from '../../../../support/builders/fleet-file.ts'
import { AT } from '../../shared/stored-fleet/subject.ts'
import { storedFleetContract } from '../../shared/stored-fleet.contract.ts'

storedFleetContract('the fleet of SQLite', async () => {
  const { folder, editor, player, stable, beta, playerStable } = await makeFleetFile()
  const clock = { now: AT }
  let close = async () => {}
  let audit = async (_entry: AuditEntry) => {}
  const open = async () => {
    const storage = await openStorage({ dataFolder: folder })
    audit = (entry) => storage.catalog.transact((tx) => tx.appendAudit(entry))
    const fleet = await storage.openFleet({
      onFailure: (error) => expect.fail(String(error)),
      clock: () => clock.now,
    })
    close = async () => {
      await fleet.stop()
      await storage.close()
    }
    return fleet
  }
  const restart = async () => {
    await close()
    return await open()
  }
  onTestFinished(() => close())
  const keys = { app: editor, otherApp: player, stable, beta, otherStable: playerStable }
  const fleet = await open()
  return { fleet, clock, restart, audit: (entry) => audit(entry), ...keys }
})
