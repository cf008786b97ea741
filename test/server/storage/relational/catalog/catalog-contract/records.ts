import { describe, expect, test } from 'vitest'
import { OTHER_POLICY } from '../../../../../support/servers/catalog.ts'
import { AT, type CatalogSubject, newApp, newChannel } from './subject.ts'

/** Apps, channels, and what changes of a release. */
export function recordContract(catalog: CatalogSubject): void {
  describe('records', () => {
    test('read back as they were written, oldest first', async () => {
      const second = await catalog.store.transact((tx) =>
        tx.insertApp(newApp('player', 'Ünïcode 🎬')),
      )
      expect(await catalog.store.apps()).toEqual([catalog.app, second])
      expect(second).toMatchObject({ ref: 'player', name: 'Ünïcode 🎬', createdAt: AT })
      expect(second.key).not.toBe(catalog.app.key)
      expect(await catalog.store.channels()).toEqual([
        {
          ...newChannel(catalog.app, 'stable'),
          key: catalog.stable.key,
          revision: catalog.stable.revision,
        },
        {
          ...newChannel(catalog.app, 'beta'),
          key: catalog.beta.key,
          revision: catalog.beta.revision,
        },
      ])
    })

    test('policy, serving state and offered change', async () => {
      const release = await catalog.publish()
      const targets = { matchLabels: { ring: 'beta' }, matchExpressions: [] }
      const state = { targets, rolloutPct: 40, status: 'paused', awaitsProof: true } as const
      await catalog.store.transact(async (tx) => {
        await tx.setPolicy(catalog.stable.key, OTHER_POLICY)
        await tx.setServing(release.id, state)
      })
      const served = await catalog.store.release(catalog.stable.key, release.version)
      await catalog.store.offerFirst(release.id, served?.revision ?? 0)
      expect((await catalog.store.channels())[0]).toMatchObject({ policy: OTHER_POLICY })
      const stored = await catalog.store.release(catalog.stable.key, release.version)
      const revision = (await catalog.revisions()).stable
      expect(stored).toEqual({ ...release, ...state, offered: true, revision })
    })

    test('an app takes another name, and is archived and restored', async () => {
      await catalog.store.transact((tx) => tx.setAppName(catalog.app.key, 'Editor Pro'))
      await catalog.store.transact((tx) => tx.setArchived(catalog.app.key, AT))
      expect(await catalog.store.apps()).toEqual([
        { ...catalog.app, name: 'Editor Pro', archivedAt: AT },
      ])
      await catalog.store.transact((tx) => tx.setArchived(catalog.app.key, null))
      expect(await catalog.store.apps()).toEqual([{ ...catalog.app, name: 'Editor Pro' }])
      await expect(catalog.store.transact((tx) => tx.setAppName(99, 'x'))).rejects.toThrow(
        /no app 99/,
      )
    })
  })
}
