import { describe, expect, test } from 'vitest'
import { AT, type CatalogSubject, newKey } from './subject.ts'

/** Keys and their use. */
export function keyContract(catalog: CatalogSubject): void {
  describe('keys', () => {
    test('keys are read back, revoked and noted as used, the latest use staying', async () => {
      const bound = newKey({ appKey: catalog.app.key, scopes: ['read', 'fleet'] })
      const [one, two] = await catalog.store.transact(async (tx) => [
        await tx.insertKey(bound),
        await tx.insertKey(newKey({ scopes: [] })),
      ])
      expect(one).toEqual({ ...bound, id: one?.id, lastUsedAt: null, revokedAt: null })
      const keyId = one?.id ?? 0
      await catalog.store.transact((tx) => tx.setRevoked(keyId, AT))
      const before = await catalog.store.revision()
      await catalog.store.recordKeyUse([
        { keyId, at: '2026-05-01T00:00:00.000Z' },
        { keyId, at: '2026-04-01T00:00:00.000Z' },
        { keyId: 999_999, at: '2026-04-01T00:00:00.000Z' },
      ])
      await catalog.store.recordKeyUse([])
      const used = { ...one, revokedAt: AT, lastUsedAt: '2026-05-01T00:00:00.000Z' }
      expect(await catalog.store.keys()).toEqual([used, two])
      expect(await catalog.store.revision()).toBe(before)
    })
  })
}
