import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CatalogStore } from '../../../../../../src/server/catalog/store.ts'
import { AT, type CatalogSubject, newApp, newChannel, newRelease } from './subject.ts'

/** Releases in pages. */
export function pageContract(catalog: CatalogSubject): void {
  describe('pages of releases', () => {
    test('newest first, equal times by ID, regardless of the order of publishing', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ day: fc.integer({ min: 1, max: 4 }), onBeta: fc.boolean() }), {
            maxLength: 12,
          }),
          fc.integer({ min: 1, max: 5 }),
          async (drawn, limit) => {
            const fresh = await catalog.make()
            try {
              await expectPages(fresh.store, drawn, limit)
            } finally {
              await fresh.close()
            }
          },
        ),
        { numRuns: 12 },
      )
    })

    test('a page past the end is empty and still knows the total', async () => {
      await catalog.publish()
      const page = await catalog.store.releasePage({
        appKey: catalog.app.key,
        limit: 20,
        offset: 20,
      })
      expect(page).toEqual({ releases: [], total: 1 })
    })

    test('a channel of another app has no releases', async () => {
      await catalog.publish()
      const player = await catalog.store.transact((tx) => tx.insertApp(newApp('player')))
      const query = { appKey: player.key, channelKey: catalog.stable.key, limit: 20, offset: 0 }
      expect(await catalog.store.releasePage(query)).toEqual({ releases: [], total: 0 })
    })

    test('pages exclude releases of archived apps', async () => {
      const release = await catalog.publish()
      const pages = [{}, { appKey: catalog.app.key }, { channelKey: catalog.stable.key }]
      const totals = async () => {
        const found = pages.map((page) =>
          catalog.store.releasePage({ ...page, limit: 9, offset: 0 }),
        )
        return (await Promise.all(found)).map(({ releases, total }) => [releases.length, total])
      }
      expect(await totals()).toEqual([
        [1, 1],
        [1, 1],
        [1, 1],
      ])
      await catalog.store.transact((tx) => tx.setArchived(catalog.app.key, AT))
      expect(await totals()).toEqual([
        [0, 0],
        [0, 0],
        [0, 0],
      ])
      expect(await catalog.store.release(catalog.stable.key, release.version)).toEqual(release)
    })
  })
}

async function expectPages(
  store: CatalogStore,
  drawn: readonly { day: number; onBeta: boolean }[],
  limit: number,
): Promise<void> {
  const published = await store.transact(async (tx) => {
    const app = await tx.insertApp(newApp('paged'))
    const stable = await tx.insertChannel(newChannel(app, 'stable'))
    const beta = await tx.insertChannel(newChannel(app, 'beta'))
    const elsewhere = await tx.insertChannel(newChannel(await tx.insertApp(newApp('x')), 'stable'))
    await tx.insertRelease(newRelease(elsewhere))
    return await Promise.all(
      drawn.map(({ day, onBeta }) =>
        tx.insertRelease(
          newRelease(onBeta ? beta : stable, { createdAt: `2026-03-0${day}T00:00:00.000Z` }),
        ),
      ),
    )
  })
  const newestFirst = (releases: typeof published) =>
    releases.toSorted((one, other) => (sortKey(one) < sortKey(other) ? 1 : -1)).map(({ id }) => id)
  const [first] = published
  if (first === undefined) return
  const ofApp = await allPages(store, { appKey: first.appKey }, limit)
  expect(ofApp).toEqual(newestFirst(published))
  const sameChannel = published.filter(({ channelKey }) => channelKey === first.channelKey)
  const { appKey, channelKey } = first
  expect(await allPages(store, { channelKey }, limit)).toEqual(newestFirst(sameChannel))
  expect(await allPages(store, { appKey, channelKey }, limit)).toEqual(newestFirst(sameChannel))
  expect((await allPages(store, {}, limit)).length).toBe(published.length + 1)
}

async function allPages(
  store: CatalogStore,
  filter: { appKey?: number; channelKey?: number },
  limit: number,
): Promise<string[]> {
  const ids: string[] = []
  for (;;) {
    const page = await store.releasePage({ ...filter, limit, offset: ids.length })
    if (page.releases.length === 0) {
      expect(page.total).toBe(ids.length)
      return ids
    }
    ids.push(...page.releases.map(({ id }) => id))
  }
}

function sortKey({ createdAt, id }: { createdAt: string; id: string }): string {
  return `${createdAt} ${id}`
}
