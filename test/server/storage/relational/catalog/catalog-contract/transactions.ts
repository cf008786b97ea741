import { describe, expect, test } from 'vitest'
import {
  type CatalogStore,
  type CatalogWrites,
  DuplicateError,
} from '../../../../../../src/server/catalog/store.ts'
import { artifact, type CatalogSubject, newApp, newRelease } from './subject.ts'

/** Writes that belong together. */
export function transactionContract(catalog: CatalogSubject): void {
  describe('transactions', () => {
    test('write all or nothing, and reject with the error of the work', async () => {
      const before = await catalog.revisions()
      const issue = new Error('on purpose')
      const failing = catalog.store.transact(async (tx) => {
        await tx.insertApp(newApp('player'))
        await tx.insertRelease(newRelease(catalog.stable, { artifacts: [artifact()] }))
        throw issue
      })
      await expect(failing).rejects.toBe(issue)
      expect(await catalog.revisions()).toEqual(before)
      expect(await catalog.store.apps()).toEqual([catalog.app])
      expect(await catalog.releasesOf(catalog.stable)).toEqual([])
    })

    test('see their own writes, which are invisible to others until the end', async () => {
      await catalog.store.transact(async (tx) => {
        const release = await tx.insertRelease(newRelease(catalog.stable))
        expect(await tx.release(catalog.stable.key, release.version)).toEqual(release)
        for (const outside of [catalog.store, catalog.other]) {
          expect(await outside.release(catalog.stable.key, release.version)).toBeUndefined()
        }
      })
      for (const outside of [catalog.store, catalog.other]) {
        expect((await catalog.releasesOf(catalog.stable, outside)).length).toBe(1)
      }
    })

    test('run one after the other, on this store and on another', async () => {
      const { version } = await catalog.publish({ rolloutPct: 0 })
      const raise = (on: CatalogStore) =>
        on.transact(async (tx) => {
          const release = await tx.release(catalog.stable.key, version)
          await Promise.resolve()
          await tx.revision()
          if (release === undefined) throw new Error('missing')
          await tx.setServing(release.id, { ...release, rolloutPct: release.rolloutPct + 1 })
        })
      const stores = Array.from({ length: 20 }, () => [catalog.store, catalog.other]).flat()
      await Promise.all(stores.map(raise))
      expect(await catalog.store.release(catalog.stable.key, version)).toMatchObject({
        rolloutPct: 40,
      })
    })

    test('a failed one does not hold up the next', async () => {
      const failing = catalog.store.transact(() => Promise.reject(new Error('on purpose')))
      const next = catalog.store.transact((tx) => tx.insertApp(newApp('player')))
      await expect(failing).rejects.toThrow('on purpose')
      expect(await next).toMatchObject({ ref: 'player' })
    })

    test('undo nothing but what is refused, and raise the revision for the rest', async () => {
      const before = await catalog.store.revision()
      const outcomes = await catalog.store.transact((tx) =>
        Promise.allSettled([
          tx.insertApp(newApp('editor')),
          tx.insertApp(newApp('player')),
          tx.insertApp(newApp('editor')),
          tx.insertRelease(newRelease(catalog.stable, { artifacts: [artifact()] })),
        ]),
      )
      expect(outcomes).toMatchObject([
        { status: 'rejected', reason: expect.any(DuplicateError) },
        { status: 'fulfilled' },
        { status: 'rejected', reason: expect.any(DuplicateError) },
        { status: 'fulfilled' },
      ])
      expect((await catalog.store.apps()).map(({ ref }) => ref)).toEqual(['editor', 'player'])
      expect(await catalog.store.revision()).toBe(before + 1)
    })

    test('write what was begun and not waited for', async () => {
      await catalog.store.transact(async (tx) => {
        void tx.insertApp(newApp('player'))
        void tx.insertApp(newApp('viewer'))
      })
      expect(await catalog.store.apps()).toHaveLength(3)
    })

    test('are of no use after their end', async () => {
      const leaked: CatalogWrites[] = []
      await catalog.store.transact(async (tx) => leaked.push(tx))
      const failing = catalog.store.transact(async (tx) => {
        leaked.push(tx)
        throw new Error('on purpose')
      })
      await expect(failing).rejects.toThrow('on purpose')
      expect(leaked.length).toBe(2)
      // Neither alone, nor inside the transaction of someone else.
      for (const tx of leaked) {
        await expect(tx.insertApp(newApp('late'))).rejects.toThrow(/ended/)
        await expect(tx.apps()).rejects.toThrow(/ended/)
        await catalog.store.transact(async () => {
          await expect(tx.insertApp(newApp('later'))).rejects.toThrow(/ended/)
        })
      }
      expect(await catalog.store.apps()).toEqual([catalog.app])
    })
  })
}
