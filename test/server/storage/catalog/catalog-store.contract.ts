import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type AppRecord,
  type CatalogStore,
  type CatalogWrites,
  type ChannelRecord,
  DuplicateError,
  type NewKey,
  type NewRelease,
} from '../../../../src/server/catalog/store.ts'
import { DEFAULT_POLICY } from '../../../../src/shared/channel.ts'
import type { Artifact } from '../../../../src/shared/release.ts'
import { EVERY_DEVICE } from '../../../../src/shared/targets.ts'

/** One catalog, seen through two stores that share nothing else. */
export interface CatalogUnderTest {
  readonly store: CatalogStore
  readonly other: CatalogStore
  readonly close: () => void | Promise<void>
}

const AT = '2026-03-14T09:26:53.589Z'

/** What any catalog store must do. */
export function catalogStoreContract(name: string, make: () => Promise<CatalogUnderTest>): void {
  describe(name, () => {
    let catalog: CatalogUnderTest
    let store: CatalogStore
    let app: AppRecord
    let stable: ChannelRecord
    let beta: ChannelRecord

    beforeEach(async () => {
      catalog = await make()
      store = catalog.store
      await store.transact(async (tx) => {
        app = await tx.insertApp(newApp('editor'))
        stable = await tx.insertChannel(newChannel(app, 'stable'))
        beta = await tx.insertChannel(newChannel(app, 'beta'))
      })
    })
    afterEach(() => catalog.close())

    const publish = (release: Partial<NewRelease> = {}) =>
      store.transact((tx) => tx.insertRelease(newRelease(stable, release)))

    const revisions = async () => ({
      catalog: await store.revision(),
      stable: await channelRevision(store, stable),
      beta: await channelRevision(store, beta),
    })

    describe('records', () => {
      test('read back as they were written, oldest first', async () => {
        const second = await store.transact((tx) => tx.insertApp(newApp('player', 'Ünïcode 🎬')))
        expect(await store.apps()).toEqual([app, second])
        expect(second).toMatchObject({ ref: 'player', name: 'Ünïcode 🎬', createdAt: AT })
        expect(second.key).not.toBe(app.key)
        expect(await store.channels()).toEqual([
          { ...newChannel(app, 'stable'), key: stable.key, revision: stable.revision },
          { ...newChannel(app, 'beta'), key: beta.key, revision: beta.revision },
        ])
      })

      test('releases keep notes of a mebibyte, which older versions took, targets and the order of artifacts', async () => {
        const release = newRelease(stable, {
          notes: '# ✨\n'.repeat(1_048_576 / 4),
          targets: {
            matchLabels: { ring: ['beta', 'internal'], site: 'Zürich' },
            matchExpressions: [{ key: 'device.version', operator: 'VersionIn', values: ['>=1'] }],
          },
          artifacts: ['z', 'a', 'm'].map((arch) => artifact({ arch, size: 2 ** 53 - 1 })),
        })
        const answered = await store.transact((tx) => tx.insertRelease(release))
        const { revision } = answered
        expect(answered).toEqual({ ...release, offered: false, revision })
        expect(await store.release(stable.key, release.version)).toEqual(answered)
        expect(await store.releasesOf(stable.key, 0)).toEqual([answered])
      })

      test('any release reads back as it was written', async () => {
        await fc.assert(
          fc.asyncProperty(anyRelease, async (parts) => {
            const release = newRelease(stable, parts)
            await store.transact((tx) => tx.insertRelease(release))
            expect(await store.release(stable.key, release.version)).toEqual({
              ...release,
              offered: false,
              revision: await channelRevision(store, stable),
            })
          }),
          { numRuns: 60 },
        )
      })

      test('a release that does not exist is undefined', async () => {
        await publish({ version: '1.0.0' })
        expect(await store.release(stable.key, '1.0.1')).toBeUndefined()
        expect(await store.release(beta.key, '1.0.0')).toBeUndefined()
      })

      test('policy, serving state and offered change', async () => {
        const release = await publish()
        const policy = {
          updateMode: 'required',
          minimumSupportedVersion: '1.2.0',
          rollback: 'roll-forward',
        } as const
        const targets = { matchLabels: { ring: 'beta' }, matchExpressions: [] }
        const state = { targets, rolloutPct: 40, status: 'paused' } as const
        await store.transact(async (tx) => {
          await tx.setPolicy(stable.key, policy)
          await tx.setServing(release.id, state)
          await tx.setOffered(release.id)
        })
        expect((await store.channels())[0]).toMatchObject({ policy })
        const stored = await store.release(stable.key, release.version)
        const revision = await channelRevision(store, stable)
        expect(stored).toEqual({ ...release, ...state, offered: true, revision })
      })

      test('keys are read back, revoked and noted as used, the latest use staying', async () => {
        const bound = newKey({ appKey: app.key, scopes: ['read', 'fleet'] })
        const [one, two] = await store.transact(async (tx) => [
          await tx.insertKey(bound),
          await tx.insertKey(newKey({ scopes: [] })),
        ])
        expect(one).toEqual({ ...bound, id: one?.id, lastUsedAt: null, revokedAt: null })
        const keyId = one?.id ?? 0
        await store.transact((tx) => tx.setRevoked(keyId, AT))
        const before = await store.revision()
        await store.recordKeyUse([
          { keyId, at: '2026-05-01T00:00:00.000Z' },
          { keyId, at: '2026-04-01T00:00:00.000Z' },
          { keyId: 999_999, at: '2026-04-01T00:00:00.000Z' },
        ])
        await store.recordKeyUse([])
        const used = { ...one, revokedAt: AT, lastUsedAt: '2026-05-01T00:00:00.000Z' }
        expect(await store.keys()).toEqual([used, two])
        expect(await store.revision()).toBe(before)
      })

      test('the audit log answers the newest first, in pages', async () => {
        await store.transact(async (tx) => {
          for (let index = 0; index < 5; index++) {
            await tx.appendAudit(auditEntry({ before: null, after: { index, text: '✨\ud800' } }))
          }
        })
        const first = await store.audit({ limit: 2 })
        expect(first.map(({ after }) => after)).toEqual([
          { index: 4, text: '✨\ud800' },
          { index: 3, text: '✨\ud800' },
        ])
        const rest = await store.audit({ limit: 9, before: first[1]?.id ?? 0 })
        expect(rest.map((entry) => entry.after)).toMatchObject([
          { index: 2 },
          { index: 1 },
          { index: 0 },
        ])
        expect(rest[0]).toEqual({
          ...auditEntry({ before: null, after: rest[0]?.after }),
          id: rest[0]?.id,
        })
      })

      test('the audit log answers what concerns one release, the newest first', async () => {
        const place = { app: 'editor', channel: 'stable', version: '1.0.0' }
        await store.transact(async (tx) => {
          for (const version of ['1.0.0', '2.0.0', '1.0.0', '1.0.0']) {
            const entry = auditEntry({ before: null, after: version })
            await tx.appendAudit({ ...entry, ...place, version })
          }
          await tx.appendAudit({ ...auditEntry({ before: 1, after: 2 }), ...place, app: 'player' })
        })
        const [newest, before, ...others] = await store.auditOf(place, 2)
        expect(others).toEqual([])
        expect(newest).toMatchObject(place)
        expect(newest?.id).toBeGreaterThan(before?.id ?? Number.POSITIVE_INFINITY)
        expect(await store.auditOf(place, 9)).toHaveLength(3)
      })

      test('a span of the audit log is what lies in it and matches', async () => {
        await store.transact(async (tx) => {
          for (let index = 0; index < 9; index++) {
            const entry = auditEntry({ before: null, after: { index } })
            await tx.appendAudit({ ...entry, app: index % 3 === 0 ? 'player' : 'editor' })
          }
        })
        const last = await store.lastAuditId()
        const span = { above: last - 6, through: last - 1 }
        const indexes = async (filter: object, limit = 99) =>
          (await store.auditIn(filter, span, limit)).map(({ after }) => after)
        expect(await indexes({})).toEqual([7, 6, 5, 4, 3].map((index) => ({ index })))
        expect(await indexes({ app: 'player' })).toEqual([{ index: 6 }, { index: 3 }])
        expect(await indexes({ app: 'player' }, 1)).toEqual([{ index: 6 }])
        expect(await store.countAudit({ app: 'player' }, span)).toBe(2)
        expect(await store.countAudit({ search: '"INDEX":5' }, span)).toBe(1)
      })

      test('an app takes another name, and is archived and restored', async () => {
        await store.transact((tx) => tx.setAppName(app.key, 'Editor Pro'))
        await store.transact((tx) => tx.setArchived(app.key, AT))
        expect(await store.apps()).toEqual([{ ...app, name: 'Editor Pro', archivedAt: AT }])
        await store.transact((tx) => tx.setArchived(app.key, null))
        expect(await store.apps()).toEqual([{ ...app, name: 'Editor Pro' }])
        await expect(store.transact((tx) => tx.setAppName(99, 'x'))).rejects.toThrow(/no app 99/)
      })

      test('pages leave out what belongs to an archived app', async () => {
        const release = await publish()
        const pages = [{}, { appKey: app.key }, { channelKey: stable.key }]
        const totals = async () => {
          const found = pages.map((page) => store.releasePage({ ...page, limit: 9, offset: 0 }))
          return (await Promise.all(found)).map(({ releases, total }) => [releases.length, total])
        }
        expect(await totals()).toEqual([
          [1, 1],
          [1, 1],
          [1, 1],
        ])
        await store.transact((tx) => tx.setArchived(app.key, AT))
        expect(await totals()).toEqual([
          [0, 0],
          [0, 0],
          [0, 0],
        ])
        expect(await store.release(stable.key, release.version)).toEqual(release)
      })
    })

    describe('uniqueness', () => {
      const refused: Record<string, (tx: CatalogWrites) => Promise<unknown>> = {
        'the ref of an app': (tx) => tx.insertApp(newApp('editor')),
        'the id of an app': (tx) => tx.insertApp({ ...newApp('other'), id: app.id }),
        'the name of a channel in its app': (tx) => tx.insertChannel(newChannel(app, 'stable')),
        'the version of a release in its channel': (tx) =>
          tx.insertRelease(newRelease(stable, { version: '1.0.0', artifacts: [artifact()] })),
        'the id of a release': (tx) =>
          tx.insertRelease(newRelease(beta, { id: FIRST_ID, artifacts: [artifact()] })),
        'the hash of a key': (tx) => tx.insertKey(newKey({ hash: 'ab'.repeat(32) })),
      }

      for (const [what, insert] of Object.entries(refused)) {
        test(`${what} is unique, and a breach leaves the transaction usable`, async () => {
          await publish({ id: FIRST_ID, version: '1.0.0', artifacts: [artifact()] })
          await store.transact((tx) => tx.insertKey(newKey({ hash: 'ab'.repeat(32) })))
          await expect(store.transact(insert)).rejects.toBeInstanceOf(DuplicateError)
          await store.transact(async (tx) => {
            await expect(insert(tx)).rejects.toThrow(/already exists/)
            await tx.insertRelease(newRelease(beta, { version: '7.0.0' }))
          })
          expect(await store.release(beta.key, '7.0.0')).toBeDefined()
          expect((await store.apps()).length).toBe(1)
          expect((await store.release(stable.key, '1.0.0'))?.artifacts).toEqual([artifact()])
        })
      }

      test('a version may be on two channels, a channel name in two apps', async () => {
        await publish({ version: '1.0.0' })
        await store.transact(async (tx) => {
          await tx.insertRelease(newRelease(beta, { version: '1.0.0' }))
          const player = await tx.insertApp(newApp('player'))
          await tx.insertChannel(newChannel(player, 'stable'))
        })
        expect((await store.channels()).map((channel) => channel.name)).toEqual([
          'stable',
          'beta',
          'stable',
        ])
      })

      test('versions that differ in build metadata alone are two', async () => {
        await publish({ version: '1.0.0+1' })
        await publish({ version: '1.0.0+2' })
        expect((await store.releasesOf(stable.key, 0)).length).toBe(2)
      })

      test('a write to what does not exist is refused', async () => {
        const state = { targets: EVERY_DEVICE, rolloutPct: 1, status: 'paused' } as const
        const nowhere: ((tx: CatalogWrites) => Promise<unknown>)[] = [
          (tx) => tx.insertChannel({ ...newChannel(app, 'x'), appKey: 4_711 }),
          (tx) => tx.insertRelease({ ...newRelease(stable), channelKey: 4_711 }),
          (tx) => tx.insertRelease({ ...newRelease(stable), appKey: 4_711 }),
          (tx) => tx.setPolicy(4_711, DEFAULT_POLICY),
          (tx) => tx.setServing(randomUUID(), state),
          (tx) => tx.setOffered(randomUUID()),
          (tx) => tx.setRevoked(4_711, AT),
        ]
        for (const write of nowhere) await expect(store.transact(write)).rejects.toThrow()
      })
    })

    describe('pages of releases', () => {
      test('newest first, equal times by id, whatever the order of publishing', async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.array(fc.record({ day: fc.integer({ min: 1, max: 4 }), onBeta: fc.boolean() }), {
              maxLength: 12,
            }),
            fc.integer({ min: 1, max: 5 }),
            async (drawn, limit) => {
              const fresh = await make()
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
        await publish()
        const page = await store.releasePage({ appKey: app.key, limit: 20, offset: 20 })
        expect(page).toEqual({ releases: [], total: 1 })
      })

      test('a channel of another app has no releases', async () => {
        await publish()
        const player = await store.transact((tx) => tx.insertApp(newApp('player')))
        const query = { appKey: player.key, channelKey: stable.key, limit: 20, offset: 0 }
        expect(await store.releasePage(query)).toEqual({ releases: [], total: 0 })
      })
    })

    describe('revisions', () => {
      test('every write raises that of the catalog, and that of the touched channel alone', async () => {
        const release = await publish()
        const key = await store.transact((tx) => tx.insertKey(newKey()))
        const state = { targets: EVERY_DEVICE, rolloutPct: 99, status: 'paused' } as const
        const writes: [(tx: CatalogWrites) => Promise<unknown>, touchesStable: boolean][] = [
          [(tx) => tx.insertApp(newApp('player')), false],
          [(tx) => tx.setAppName(app.key, 'Other'), false],
          [(tx) => tx.setArchived(app.key, AT), false],
          [(tx) => tx.insertChannel(newChannel(app, 'nightly')), false],
          [(tx) => tx.setPolicy(stable.key, DEFAULT_POLICY), true],
          [(tx) => tx.insertRelease(newRelease(stable)), true],
          [(tx) => tx.setServing(release.id, state), true],
          [(tx) => tx.setOffered(release.id), true],
          [(tx) => tx.insertKey(newKey()), false],
          [(tx) => tx.setRevoked(key.id, AT), false],
          [(tx) => tx.appendAudit(auditEntry({ before: 1, after: 2 })), false],
        ]
        for (const [write, touchesStable] of writes) {
          const before = await revisions()
          await store.transact(write)
          const after = await revisions()
          expect(after.catalog).toBeGreaterThan(before.catalog)
          expect(after.stable > before.stable).toBe(touchesStable)
          expect(after.beta).toBe(before.beta)
        }
      })

      test('a transaction that writes nothing raises nothing', async () => {
        const before = await revisions()
        await store.transact((tx) => tx.apps())
        expect(await revisions()).toEqual(before)
      })

      test('the releases since a revision are those that changed after it', async () => {
        const [old, offered] = [await publish(), await publish()]
        const since = await channelRevision(store, stable)
        expect(await store.releasesOf(stable.key, since)).toEqual([])
        const fresh = await publish()
        await store.transact((tx) => tx.setOffered(offered.id))
        const ids = (await store.releasesOf(stable.key, since)).map(({ id }) => id)
        expect(new Set(ids)).toEqual(new Set([fresh.id, offered.id]))
        const all = (await store.releasesOf(stable.key, 0)).map(({ id }) => id)
        expect(new Set(all)).toEqual(new Set([old.id, fresh.id, offered.id]))
      })

      test('a policy change leaves every release as it was', async () => {
        await publish()
        const since = await channelRevision(store, stable)
        await store.transact((tx) => tx.setPolicy(stable.key, DEFAULT_POLICY))
        expect(await store.releasesOf(stable.key, since)).toEqual([])
      })
    })

    describe('transactions', () => {
      test('write all or nothing, and reject with what the work rejected with', async () => {
        const before = await revisions()
        const fault = new Error('on purpose')
        const failing = store.transact(async (tx) => {
          await tx.insertApp(newApp('player'))
          await tx.insertRelease(newRelease(stable, { artifacts: [artifact()] }))
          throw fault
        })
        await expect(failing).rejects.toBe(fault)
        expect(await revisions()).toEqual(before)
        expect(await store.apps()).toEqual([app])
        expect(await store.releasesOf(stable.key, 0)).toEqual([])
      })

      test('see their own writes, which nobody else sees before the end', async () => {
        await store.transact(async (tx) => {
          const release = await tx.insertRelease(newRelease(stable))
          expect(await tx.release(stable.key, release.version)).toEqual(release)
          for (const outside of [store, catalog.other]) {
            expect(await outside.release(stable.key, release.version)).toBeUndefined()
          }
        })
        for (const outside of [store, catalog.other]) {
          expect((await outside.releasesOf(stable.key, 0)).length).toBe(1)
        }
      })

      test('run one after the other, on this store and on another', async () => {
        const { version } = await publish({ rolloutPct: 0 })
        const raise = (on: CatalogStore) =>
          on.transact(async (tx) => {
            const release = await tx.release(stable.key, version)
            await Promise.resolve()
            await tx.revision()
            if (release === undefined) throw new Error('missing')
            await tx.setServing(release.id, { ...release, rolloutPct: release.rolloutPct + 1 })
          })
        const stores = Array.from({ length: 20 }, () => [store, catalog.other]).flat()
        await Promise.all(stores.map(raise))
        expect(await store.release(stable.key, version)).toMatchObject({ rolloutPct: 40 })
      })

      test('a failed one does not hold up the next', async () => {
        const failing = store.transact(() => Promise.reject(new Error('on purpose')))
        const next = store.transact((tx) => tx.insertApp(newApp('player')))
        await expect(failing).rejects.toThrow('on purpose')
        expect(await next).toMatchObject({ ref: 'player' })
      })

      test('are of no use after their end', async () => {
        const leaked: CatalogWrites[] = []
        await store.transact(async (tx) => leaked.push(tx))
        const failing = store.transact(async (tx) => {
          leaked.push(tx)
          throw new Error('on purpose')
        })
        await expect(failing).rejects.toThrow('on purpose')
        expect(leaked.length).toBe(2)
        // Neither alone, nor inside the transaction of somebody else.
        for (const tx of leaked) {
          await expect(tx.insertApp(newApp('late'))).rejects.toThrow(/ended/)
          await expect(tx.apps()).rejects.toThrow(/ended/)
          await store.transact(async () => {
            await expect(tx.insertApp(newApp('later'))).rejects.toThrow(/ended/)
          })
        }
        expect(await store.apps()).toEqual([app])
      })
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

async function channelRevision(store: CatalogStore, { key }: ChannelRecord): Promise<number> {
  const channel = (await store.channels()).find((candidate) => candidate.key === key)
  return channel?.revision ?? Number.NaN
}

const FIRST_ID = '0195f3a0-0000-7000-8000-000000000001'

/** Text as a JSON body can hold it, without halves of surrogate pairs, which UTF-8 cannot hold. */
const text = fc.string({ unit: 'binary', maxLength: 40 })
const anyRelease = fc.record({
  notes: text,
  status: fc.constantFrom('published' as const, 'paused' as const, 'rolled_back' as const),
  rolloutPct: fc.integer({ min: 0, max: 100 }),
  targets: fc.record({
    matchLabels: fc.dictionary(
      text,
      fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 3 })),
      { noNullPrototype: true },
    ),
    matchExpressions: fc.array(
      fc.record({ key: text, operator: fc.constant('In' as const), values: fc.array(text) }),
      { maxLength: 3 },
    ),
  }),
  artifacts: fc.array(
    fc.record({
      platform: text,
      arch: text,
      url: text,
      sha512: text,
      size: fc.maxSafeNat(),
      signature: text,
    }),
    { maxLength: 5 },
  ),
})

function newApp(ref: string, name = ref) {
  return { id: randomUUID(), ref, name, createdAt: AT }
}

function newChannel(app: AppRecord, name: string) {
  return { appKey: app.key, name, policy: DEFAULT_POLICY, createdAt: AT }
}

let releases = 0

function newRelease(channel: ChannelRecord, parts: Partial<NewRelease> = {}): NewRelease {
  releases += 1
  return {
    id: randomUUID(),
    appKey: channel.appKey,
    channelKey: channel.key,
    version: `0.0.${releases}`,
    notes: '',
    status: 'published',
    rolloutPct: 100,
    targets: EVERY_DEVICE,
    createdAt: AT,
    artifacts: [],
    ...parts,
  }
}

function artifact(parts: Partial<Artifact> = {}): Artifact {
  const url = 'https://files.example/editor'
  return { platform: 'darwin', arch: 'arm64', url, sha512: 'ab', size: 0, signature: '', ...parts }
}

function newKey(parts: Partial<NewKey> = {}): NewKey {
  const hash = randomUUID()
  return {
    prefix: 'tg_abcde',
    hash,
    name: 'CI',
    scopes: ['read'],
    appKey: null,
    createdAt: AT,
    ...parts,
  }
}

function auditEntry(change: { before: unknown; after: unknown }) {
  return {
    at: AT,
    actor: { kind: 'console', name: 'mia' } as const,
    action: 'release.published',
    app: 'editor',
    channel: null,
    version: null,
    ...change,
  }
}
