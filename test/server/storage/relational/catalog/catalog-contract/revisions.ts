import { describe, expect, test } from 'vitest'
import type { CatalogWrites } from '../../../../../../src/server/catalog/store.ts'
import { DEFAULT_POLICY } from '../../../../../../src/shared/releases/channel.ts'
import { EVERY_DEVICE } from '../../../../../../src/shared/releases/targets.ts'
import {
  AT,
  auditEntry,
  type CatalogSubject,
  newApp,
  newChannel,
  newKey,
  newRelease,
} from './subject.ts'

/** What changed since when. */
export function revisionContract(catalog: CatalogSubject): void {
  describe('revisions', () => {
    test('every write increments that of the catalog and of the changed channel', async () => {
      const release = await catalog.publish()
      const key = await catalog.store.transact((tx) => tx.insertKey(newKey()))
      const state = {
        targets: EVERY_DEVICE,
        rolloutPct: 99,
        status: 'paused',
        awaitsProof: false,
      } as const
      const writes: [(tx: CatalogWrites) => Promise<unknown>, touchesStable: boolean][] = [
        [(tx) => tx.insertApp(newApp('player')), false],
        [(tx) => tx.setAppName(catalog.app.key, 'Other'), false],
        [(tx) => tx.setArchived(catalog.app.key, AT), false],
        [(tx) => tx.insertChannel(newChannel(catalog.app, 'nightly')), false],
        [(tx) => tx.setPolicy(catalog.stable.key, DEFAULT_POLICY), true],
        [(tx) => tx.insertRelease(newRelease(catalog.stable)), true],
        [(tx) => tx.setServing(release.id, state), true],
        [(tx) => tx.insertKey(newKey()), false],
        [(tx) => tx.setRevoked(key.id, AT), false],
        [(tx) => tx.appendAudit(auditEntry({ before: 1, after: 2 })), false],
      ]
      for (const [write, touchesStable] of writes) {
        const before = await catalog.revisions()
        await catalog.store.transact(write)
        const after = await catalog.revisions()
        expect(after.catalog).toBeGreaterThan(before.catalog)
        expect(after.stable > before.stable).toBe(touchesStable)
        expect(after.beta).toBe(before.beta)
      }
    })

    test('a transaction that writes nothing raises nothing', async () => {
      const before = await catalog.revisions()
      await catalog.store.transact((tx) => tx.apps())
      expect(await catalog.revisions()).toEqual(before)
    })
  })
}
