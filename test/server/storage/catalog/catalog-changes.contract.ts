import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type {
  AppRecord,
  CatalogStore,
  ChannelRecord,
  ReleaseRecord,
} from '../../../../src/server/catalog/store.ts'
import { DEFAULT_POLICY } from '../../../../src/shared/channel.ts'
import { EVERY_DEVICE } from '../../../../src/shared/targets.ts'
import type { CatalogUnderTest } from './catalog-store.contract.ts'

const AT = '2026-03-14T09:26:53.589Z'

/** How any catalog store answers what has changed, tells of it, and stores first offers. */
export function catalogChangesContract(name: string, make: () => Promise<CatalogUnderTest>): void {
  describe(name, () => {
    let catalog: CatalogUnderTest
    let store: CatalogStore
    let other: CatalogStore
    let app: AppRecord
    let stable: ChannelRecord
    let beta: ChannelRecord

    beforeEach(async () => {
      catalog = await make()
      store = catalog.store
      other = catalog.other
      await store.transact(async (tx) => {
        app = await tx.insertApp({ id: randomUUID(), ref: 'editor', name: 'Editor', createdAt: AT })
        const channel = { appKey: app.key, policy: DEFAULT_POLICY, createdAt: AT }
        stable = await tx.insertChannel({ ...channel, name: 'stable' })
        beta = await tx.insertChannel({ ...channel, name: 'beta' })
      })
    })
    afterEach(() => catalog.close())

    const publish = (on: CatalogStore, channel = stable) =>
      on.transact((tx) =>
        tx.insertRelease({
          ...{ id: randomUUID(), appKey: app.key, channelKey: channel.key, version: randomUUID() },
          ...{ notes: '', status: 'published', rolloutPct: 100, targets: EVERY_DEVICE },
          ...{ createdAt: AT, artifacts: [] },
        }),
      )

    /** All that the store has, as the changes since nothing. */
    const everything = async (on = store) => {
      const changes = await on.changesSince(0)
      if (changes === null) throw new Error('the catalog is empty')
      return changes
    }

    describe('changesSince', () => {
      test('answers everything for a catalog of which nothing is known', async () => {
        const releases = [await publish(store), await publish(store, beta)]
        const changes = await everything()
        expect(changes).toMatchObject({ revision: await store.revision(), apps: [app], keys: [] })
        expect(changes.channels.map((channel) => channel.name)).toEqual(['stable', 'beta'])
        expect(new Set(changes.releases)).toEqual(new Set(releases))
        expect(await everything(other)).toEqual(changes)
      })

      test('answers null where nothing was committed', async () => {
        const { revision } = await everything()
        expect(await store.changesSince(revision)).toBeNull()
        await store.transact((tx) => tx.apps())
        expect(await store.changesSince(revision)).toBeNull()
      })

      test('answers what changed, whichever store committed it, and nothing before its commit', async () => {
        await publish(store)
        await publish(store, beta)
        for (const on of [store, other]) {
          const before = await everything()
          await on.transact(async (tx) => {
            await tx.setAppName(app.key, 'Editor Pro')
            expect(await store.changesSince(before.revision)).toBeNull()
          })
          const release = await publish(on)
          const changes = await store.changesSince(before.revision)
          expect(changes?.releases).toContainEqual(release)
          expect(changes?.apps).toMatchObject([{ name: 'Editor Pro' }])
          expect(changes?.revision).toBe(await store.revision())
        }
      })

      test('never leaves out a release that changed, whatever revision it is asked for', async () => {
        const releases = [await publish(store), await publish(other, beta), await publish(store)]
        const known: number[] = [0]
        for (const release of releases) {
          known.push((await everything()).revision)
          await other.transact((tx) =>
            tx.setServing(release.id, { ...release, rolloutPct: 7, status: 'paused' }),
          )
        }
        for (const [index, revision] of known.entries()) {
          const changes = await store.changesSince(revision)
          const paused = changes?.releases.filter(({ status }) => status === 'paused') ?? []
          const late = releases.slice(Math.max(index - 1, 0)).map(({ id }) => id)
          expect(paused.map(({ id }) => id)).toEqual(expect.arrayContaining(late))
        }
      })

      test('tells of a policy, a key and an archived app', async () => {
        const policy = { ...DEFAULT_POLICY, minimumSupportedVersion: '2.0.0' }
        let { revision } = await everything()
        const changed = async () => {
          const changes = await store.changesSince(revision)
          revision = changes?.revision ?? revision
          return changes
        }
        await other.transact((tx) => tx.setPolicy(stable.key, policy))
        expect((await changed())?.channels[0]).toMatchObject({ policy })
        await other.transact((tx) =>
          tx.insertKey({
            ...{ prefix: 'tg_abcde', hash: 'ab', name: 'CI', scopes: ['read'] },
            ...{ appKey: null, createdAt: AT },
          }),
        )
        expect((await changed())?.keys).toMatchObject([{ name: 'CI' }])
        await other.transact((tx) => tx.setArchived(app.key, AT))
        expect((await changed())?.apps).toMatchObject([{ archivedAt: AT }])
      })
    })

    describe('watch', () => {
      /** Counts how often a watch calls, until the test ends. */
      const watching = (onChange: () => Promise<void> = async () => {}) => {
        const listener = { onChange: vi.fn(onChange), onFailure: vi.fn() }
        const stop = store.watch(listener)
        onTestFinished(stop)
        return { ...listener, stop }
      }

      test('calls once by itself, and after every commit of any store', async () => {
        const { onChange, onFailure } = watching()
        await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(1), PATIENTLY)
        await publish(store)
        await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(2), PATIENTLY)
        await publish(other)
        await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(3), PATIENTLY)
        expect(onFailure).not.toHaveBeenCalled()
      })

      test('calls again while the listener fails, and tells of it once', async () => {
        let failing = 3
        const { onChange, onFailure } = watching(async () => {
          if (failing-- > 0) throw new Error('on purpose')
        })
        await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(4), PATIENTLY)
        expect(onFailure).toHaveBeenCalledOnce()
        failing = 1
        await publish(other)
        await vi.waitFor(() => expect(onChange).toHaveBeenCalledTimes(6), PATIENTLY)
        expect(onFailure).toHaveBeenCalledTimes(2)
      })

      test('ends when it is stopped', async () => {
        const [stopped, still] = [watching(), watching()]
        await vi.waitFor(() => expect(stopped.onChange).toHaveBeenCalledOnce(), PATIENTLY)
        stopped.stop()
        await publish(other)
        await vi.waitFor(() => expect(still.onChange).toHaveBeenCalledTimes(2), PATIENTLY)
        expect(stopped.onChange).toHaveBeenCalledOnce()
      })
    })

    describe('offerFirst', () => {
      const stored = (release: ReleaseRecord) => store.release(release.channelKey, release.version)

      test('stores the offer, once, as a change of the release', async () => {
        const release = await publish(store)
        const before = await store.revision()
        expect(await store.offerFirst(release.id, release.revision)).toBe(true)
        const offered = await stored(release)
        expect(offered).toMatchObject({ offered: true })
        expect(offered?.revision).toBeGreaterThan(release.revision)
        const after = await store.revision()
        expect(after).toBeGreaterThan(before)
        expect((await store.changesSince(before))?.releases).toContainEqual(offered)
        for (const revision of [release.revision, offered?.revision ?? 0]) {
          expect(await other.offerFirst(release.id, revision)).toBe(false)
        }
        expect(await store.revision()).toBe(after)
      })

      test('stores nothing where the release has changed since, or never was', async () => {
        const release = await publish(store)
        await other.transact((tx) => tx.setServing(release.id, { ...release, rolloutPct: 5 }))
        const before = await store.revision()
        expect(await store.offerFirst(release.id, release.revision)).toBe(false)
        expect(await store.offerFirst(randomUUID(), 1)).toBe(false)
        expect(await stored(release)).toMatchObject({ offered: false, rolloutPct: 5 })
        expect(await store.revision()).toBe(before)
      })

      test('is not kept from it by a change of another release or of the channel', async () => {
        const release = await publish(store)
        await publish(other)
        await other.transact((tx) => tx.setPolicy(stable.key, DEFAULT_POLICY))
        expect(await store.offerFirst(release.id, release.revision)).toBe(true)
      })

      test('of many at once one is the first', async () => {
        const { id, revision } = await publish(store)
        const stores = Array.from({ length: 10 }, () => [store, other]).flat()
        const outcomes = await Promise.all(stores.map((on) => on.offerFirst(id, revision)))
        expect(outcomes.filter((isFirst) => isFirst)).toHaveLength(1)
      })
    })
  })
}

const PATIENTLY = { timeout: 5_000, interval: 20 } as const
