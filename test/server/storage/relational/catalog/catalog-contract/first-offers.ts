import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../../../../../src/shared/releases/channel.ts'
import type { CatalogSubject } from './subject.ts'

/** Offers that race changes of what was decided on. */
export function firstOfferContract(catalog: CatalogSubject): void {
  describe('offerFirst', () => {
    test('stores the offer, once, as a change of the release', async () => {
      const release = await catalog.publish()
      const before = await catalog.revisions()
      expect(await catalog.store.offerFirst(release.id, release.revision)).toBe(true)
      const offered = await catalog.store.release(catalog.stable.key, release.version)
      expect(offered).toEqual({ ...release, offered: true, revision: offered?.revision })
      expect(offered?.revision).toBeGreaterThan(release.revision)
      const after = await catalog.revisions()
      expect(after.catalog).toBeGreaterThan(before.catalog)
      expect(after.stable).toBeGreaterThan(before.stable)
      expect(after.beta).toBe(before.beta)
      const changes = await catalog.store.changesSince(before.catalog)
      expect(changes?.releases).toContainEqual(offered)
      for (const revision of [release.revision, offered?.revision ?? 0]) {
        expect(await catalog.other.offerFirst(release.id, revision)).toBe(false)
      }
      expect(await catalog.revisions()).toEqual(after)
    })

    test('stores nothing if the release has changed since, or never was', async () => {
      const release = await catalog.publish()
      await catalog.other.transact((tx) => tx.setServing(release.id, { ...release, rolloutPct: 5 }))
      const before = await catalog.revisions()
      expect(await catalog.store.offerFirst(release.id, release.revision)).toBe(false)
      expect(await catalog.store.offerFirst(randomUUID(), 1)).toBe(false)
      const stored = await catalog.store.release(catalog.stable.key, release.version)
      expect(stored).toMatchObject({ offered: false, rolloutPct: 5 })
      expect(await catalog.revisions()).toEqual(before)
    })

    test('is not kept from it by a change of another release or of the channel', async () => {
      const release = await catalog.publish()
      await catalog.publish()
      await catalog.other.transact((tx) => tx.setPolicy(catalog.stable.key, DEFAULT_POLICY))
      expect(await catalog.store.offerFirst(release.id, release.revision)).toBe(true)
    })

    test('of many concurrent ones, one is the first', async () => {
      const { id, revision } = await catalog.publish()
      const stores = Array.from({ length: 10 }, () => [catalog.store, catalog.other]).flat()
      const outcomes = await Promise.all(stores.map((on) => on.offerFirst(id, revision)))
      expect(outcomes.filter((isFirst) => isFirst)).toHaveLength(1)
    })
  })
}
