import { describe, expect, onTestFinished, test } from 'vitest'
import type { AuditEntry } from '../../../../../src/server/catalog/audit-log.ts'
import type { ReleasePageQuery } from '../../../../../src/server/catalog/queries.ts'
import { DuplicateError } from '../../../../../src/server/catalog/store.ts'
import type { NewAccount } from '../../../../../src/server/people/store.ts'
import { areaOf } from '../../../../../src/server/storage/relational/areas.ts'
import { releasePageSql } from '../../../../../src/server/storage/relational/releases.ts'
import { TransactionScope } from '../../../../../src/server/storage/relational/scope.ts'
import {
  type Connection,
  dataFile,
  openDatabase,
} from '../../../../../src/server/storage/sqlite/database.ts'
import {
  createSqliteCatalogStore,
  type SqliteCatalogStore,
} from '../../../../../src/server/storage/sqlite/engine/sqlite-stores.ts'
import {
  SQLITE,
  transactionStatements,
} from '../../../../../src/server/storage/sqlite/prepared-statements.ts'
import { DEFAULT_POLICY } from '../../../../../src/shared/releases/channel.ts'
import { EVERY_DEVICE } from '../../../../../src/shared/releases/targets.ts'
import { preparedFolder } from '../../../../support/builders/folders.ts'
import { addApps, sentenceOf, storageFailure } from '../../../../support/servers/database.ts'
import { publishOne } from './catalog-contract/subject.ts'
import { catalogStoreContract } from './catalog-store.contract.ts'

const AT = '2026-03-14T09:26:53.589Z'

for (const thread of [false, true]) {
  const where = thread ? 'on a thread of its own' : 'on the calling thread'
  catalogStoreContract(`a catalog in SQLite that is written ${where}`, async () => {
    const file = dataFile(preparedFolder())
    const store = createSqliteCatalogStore(file, { thread })
    const other = createSqliteCatalogStore(file, { thread })
    return {
      store,
      other,
      close: async () => {
        await Promise.all([store.close(), other.close()])
      },
    }
  })
}

function openStore(): { store: SqliteCatalogStore; file: string; folder: string } {
  const folder = preparedFolder()
  const file = dataFile(folder)
  const store = createSqliteCatalogStore(file)
  onTestFinished(() => store.close())
  return { store, file, folder }
}

function connect(file: string): Connection {
  const database = openDatabase(file)
  onTestFinished(() => {
    database.close()
  })
  return database
}

describe('changes', () => {
  test('are not looked for in commits of other tables', async () => {
    const { store, file } = openStore()
    await publishOne(store)
    const revision = await store.revision()
    expect(await store.changesSince(revision)).toBeNull()
    connect(file).exec('CREATE TABLE telemetry (id INTEGER); INSERT INTO telemetry VALUES (1)')
    expect(await store.changesSince(revision)).toBeNull()
  })

  test('since the last answer contain only the releases that changed', async () => {
    const { store } = openStore()
    const release = await publishOne(store)
    const again = (version: string) =>
      store.transact((tx) => tx.insertRelease({ ...release, id: version, version }))
    const others = [await again('2.0.0'), await again('3.0.0')]
    const all = await store.changesSince(0)
    expect(all?.releases.map(({ id }) => id)).toEqual(['r', '2.0.0', '3.0.0'])
    await store.offerFirst('3.0.0', others[1]?.revision ?? 0)
    const fresh = await again('4.0.0')
    const changes = await store.changesSince(all?.revision ?? 0)
    expect(new Set(changes?.releases.map(({ id }) => id))).toEqual(new Set(['3.0.0', fresh.id]))
    await store.transact((tx) => tx.setPolicy(release.channelKey, DEFAULT_POLICY))
    expect(await store.changesSince(changes?.revision ?? 0)).toMatchObject({ releases: [] })
  })
})

test('the thread stays free while another connection holds the write lock', async () => {
  const { store, file } = openStore()
  const holder = connect(file)
  holder.exec('BEGIN IMMEDIATE')
  const waiting = publishOne(store)
  await new Promise((resolve) => setImmediate(resolve))
  // The transaction has met the lock. Only a free thread gets to release it.
  expect(await store.apps()).toEqual([])
  holder.exec('COMMIT')
  expect(await waiting).toMatchObject({ version: '1.0.0' })
})

describe('failed writes', () => {
  const forbidden: Record<string, [sql: string, message: RegExp]> = {
    'new notes': ["UPDATE releases SET notes = 'x'", /immutable/],
    'a new version': ["UPDATE releases SET version = '2.0.0'", /immutable/],
    'a new creation time': ["UPDATE releases SET created_at = ''", /immutable/],
    'a deleted release': ['DELETE FROM releases', /never deleted/],
    'a smaller rollout': ['UPDATE releases SET rollout_pct = 49', /only grow/],
    'a withdrawn offer': ['UPDATE releases SET offered = 0', /stays offered/],
    'a changed artifact': ["UPDATE artifacts SET url = 'x'", /immutable/],
    'a deleted artifact': ['DELETE FROM artifacts', /never deleted/],
    'another artifact': [
      "INSERT INTO artifacts VALUES ('r', 1, 'linux', 'x64', '', '', 0, '', '', '{}')",
      /no artifact can be added/,
    ],
    'an artifact of nothing': [
      "INSERT INTO artifacts VALUES ('none', 1, 'linux', 'x64', '', '', 0, '', '', '{}')",
      /FOREIGN KEY/,
    ],
    'an audit entry in hindsight': ["UPDATE audit SET action = 'x'", /append-only/],
    'a deleted audit entry': ['DELETE FROM audit', /append-only/],
    'an unknown status': ["UPDATE releases SET status = 'gone'", /CHECK/],
  }

  for (const [what, [sql, message]] of Object.entries(forbidden)) {
    test(`${what}, even by hand`, async () => {
      const { store, file } = openStore()
      const { id, revision } = await publishOne(store, 50)
      await store.offerFirst(id, revision)
      await store.transact(async (tx) => {
        await tx.appendAudit({
          ...{ at: AT, actor: { kind: 'console', name: 'mia' }, action: 'release.published' },
          ...{ app: null, channel: null, version: null, before: null, after: null },
        })
      })
      expect(() => connect(file).exec(sql)).toThrow(message)
    })
  }

  test('a rolled-back release is never served again', async () => {
    const { store } = openStore()
    const release = await publishOne(store, 50)
    const state = {
      targets: EVERY_DEVICE,
      rolloutPct: 50,
      status: 'rolled_back',
      awaitsProof: false,
    } as const
    await store.transact((tx) => tx.setServing(release.id, state))
    for (const change of [
      { ...state, status: 'published' as const },
      { ...state, rolloutPct: 60 },
      { ...state, targets: { matchLabels: { ring: 'x' }, matchExpressions: [] } },
    ]) {
      const breach = () => store.transact((tx) => tx.setServing(release.id, change))
      expect((await storageFailure('rejected', breach)).message).toMatch(/never be served again/)
    }
    // What changes nothing passes.
    await store.transact((tx) => tx.setServing(release.id, state))
  })
})

describe('a store that fails', () => {
  test('names the file that is missing', async () => {
    const file = `${preparedFolder()}/other.db`
    const failure = await storageFailure('missing', () => createSqliteCatalogStore(file))
    expect(sentenceOf(failure)).toContain(file)
  })

  test('rejects with closed, also in a pending transaction', async () => {
    const { store } = openStore()
    const under = store.transact(async (tx) => {
      store.close()
      await tx.apps()
    })
    await storageFailure('closed', () => under)
    await storageFailure('closed', () => store.apps())
    await storageFailure('closed', () => store.transact(async () => {}))
    store.close()
  })

  const large = 'x'.repeat(100_000)
  const entry: AuditEntry = {
    ...{ at: AT, actor: { kind: 'console', name: 'mia' }, action: 'app.created' },
    ...{ app: 'b', channel: null, version: null, before: null, after: large },
  }
  const account: NewAccount = {
    ...{ id: 'd', name: large, nameKey: large, email: null, serverRole: null, createdAt: AT },
    ...{ passwordHash: null, vouchedBy: null },
  }
  const writes: Record<string, (scope: TransactionScope) => Promise<unknown>> = {
    'for an entry': (scope) => areaOf(scope, 'catalog').appendAudit(entry),
    'for an account, which can be refused alone': (scope) =>
      areaOf(scope, 'people').insertAccount(account),
  }

  test.for(Object.entries(writes))(
    'writes nothing after the disk was full: %s',
    async ([, write]) => {
      const { store, file, folder } = openStore()
      addApps(folder, 'editor')
      const database = connect(file)
      database.pragma('max_page_count = 1')
      database.exec('BEGIN IMMEDIATE')
      const scope = new TransactionScope(transactionStatements(database))
      const tx = areaOf(scope, 'catalog')
      await tx.insertApp({ id: 'b', ref: 'b', name: 'b', createdAt: AT })
      await expect(write(scope)).rejects.toThrow(/full/)
      // SQLite has undone all of it by itself; the next write would be committed at once.
      expect(database.inTransaction).toBe(false)
      const late = tx.insertApp({ id: 'c', ref: 'c', name: 'c', createdAt: AT })
      await expect(late).rejects.toThrow(/ended/)
      expect((await store.apps()).map(({ ref }) => ref)).toEqual(['editor'])
    },
  )

  test('keeps duplicates apart from failures', async () => {
    const { store } = openStore()
    await publishOne(store)
    await expect(publishOne(store)).rejects.toBeInstanceOf(DuplicateError)
  })
})

describe('a page of releases', () => {
  const after = { afterCreatedAt: '2026-11-22T12:00:00.000Z', afterId: 'x' }
  const pages: Record<string, [query: Partial<ReleasePageQuery>, index: string]> = {
    all: [{}, 'releases_newest'],
    app: [{ appKey: 1 }, 'releases_newest_of_app'],
    channel: [{ channelKey: 1 }, 'releases_newest_of_channel'],
    both: [{ appKey: 1, channelKey: 1 }, 'releases_newest_of_channel'],
    after: [{ channelKey: 1, ...after }, 'releases_newest_of_channel'],
  }

  test.for(Object.entries(pages))('walks an index and sorts nothing: %s', ([, [query, index]]) => {
    const database = connect(dataFile(preparedFolder()))
    const { page } = releasePageSql(SQLITE, query)
    const plan = database
      .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${page}`)
      .all({ ...query, limit: 20, offset: 0 })
      .map(({ detail }) => detail)
    const ofReleases = plan.filter((detail) => /^(SCAN|SEARCH) r /.test(detail))
    expect(ofReleases).toEqual([expect.stringMatching(`USING INDEX ${index}( |$)`)])
    expect(plan.filter((detail) => /^USE TEMP B-TREE FOR (?!json)/.test(detail))).toEqual([])
  })
})
