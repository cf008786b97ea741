import { describe, expect, test } from 'vitest'
import type { CatalogChanges } from '../../../../../../src/server/catalog/store.ts'
import { DEFAULT_POLICY } from '../../../../../../src/shared/releases/channel.ts'
import { AT, type CatalogSubject, newKey, newRelease } from './subject.ts'

/** What was committed since a revision. */
export function changeContract(catalog: CatalogSubject): void {
  const publishOnBeta = () =>
    catalog.other.transact((tx) => tx.insertRelease(newRelease(catalog.beta)))

  describe('changesSince', () => {
    test('answers everything for a catalog of which nothing is known', async () => {
      const releases = [await catalog.publish(), await publishOnBeta()]
      const changes = await everything(catalog)
      const revision = await catalog.store.revision()
      expect(changes).toMatchObject({ revision, apps: [catalog.app], keys: [] })
      expect(changes.channels.map(({ name }) => name)).toEqual(['stable', 'beta'])
      expect(new Set(changes.releases)).toEqual(new Set(releases))
      expect(await catalog.other.changesSince(0)).toEqual(changes)
    })

    test('answers null if nothing was committed', async () => {
      const { revision } = await everything(catalog)
      expect(await catalog.store.changesSince(revision)).toBeNull()
      await catalog.store.transact((tx) => tx.apps())
      expect(await catalog.store.changesSince(revision)).toBeNull()
    })

    test('returns what any store has committed, and nothing before its commit', async () => {
      await catalog.publish()
      for (const on of [catalog.store, catalog.other]) {
        const { revision } = await everything(catalog)
        const release = await on.transact(async (tx) => {
          await tx.setAppName(catalog.app.key, 'Editor Pro')
          const published = await tx.insertRelease(newRelease(catalog.stable))
          expect(await catalog.store.changesSince(revision)).toBeNull()
          return published
        })
        const changes = await catalog.store.changesSince(revision)
        expect(changes?.releases).toContainEqual(release)
        expect(changes?.apps).toMatchObject([{ name: 'Editor Pro' }])
        expect(changes?.revision).toBe(await catalog.store.revision())
      }
    })

    test('includes every changed release, for any revision', async () => {
      const releases = [await catalog.publish(), await publishOnBeta(), await catalog.publish()]
      const known: number[] = [0]
      for (const release of releases) {
        known.push((await everything(catalog)).revision)
        await catalog.other.transact((tx) =>
          tx.setServing(release.id, { ...release, rolloutPct: 7, status: 'paused' }),
        )
      }
      for (const [index, revision] of known.entries()) {
        const changes = await catalog.store.changesSince(revision)
        const paused = changes?.releases.filter(({ status }) => status === 'paused') ?? []
        const late = releases.slice(Math.max(index - 1, 0)).map(({ id }) => id)
        expect(paused.map(({ id }) => id)).toEqual(expect.arrayContaining(late))
      }
    })

    test('includes changes of a policy, a key and an archived app', async () => {
      let { revision } = await everything(catalog)
      const changed = async () => {
        const changes = await catalog.store.changesSince(revision)
        revision = changes?.revision ?? revision
        return changes
      }
      const policy = { ...DEFAULT_POLICY, minimumSupportedVersion: '2.0.0' }
      await catalog.other.transact((tx) => tx.setPolicy(catalog.stable.key, policy))
      expect((await changed())?.channels[0]).toMatchObject({ policy })
      await catalog.other.transact((tx) => tx.insertKey(newKey()))
      expect((await changed())?.keys).toMatchObject([{ name: 'CI' }])
      await catalog.other.transact((tx) => tx.setArchived(catalog.app.key, AT))
      expect((await changed())?.apps).toMatchObject([{ archivedAt: AT }])
    })
  })
}

async function everything({ store }: CatalogSubject): Promise<CatalogChanges> {
  const changes = await store.changesSince(0)
  if (changes === null) throw new Error('the catalog is empty')
  return changes
}
