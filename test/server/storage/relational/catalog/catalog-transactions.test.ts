import { describe, expect, onTestFinished, test } from 'vitest'
import { dataFile, openDatabase } from '../../../../../src/server/storage/sqlite/database.ts'
import { createSqliteCatalogStore } from '../../../../../src/server/storage/sqlite/engine/sqlite-stores.ts'
import type { TransactionsOptions } from '../../../../../src/server/storage/sqlite/writer/transactions.ts'
import { preparedFolder } from '../../../../support/builders/folders.ts'
import { startFixture } from '../../../../support/processes/fixture.ts'
import { storageFailure } from '../../../../support/servers/database.ts'
import { publishOne } from './catalog-contract/subject.ts'

const NEW_APP = { id: 'a', ref: 'editor', name: 'Editor', createdAt: '2026-03-14T09:26:53.589Z' }

function open(options: TransactionsOptions = {}) {
  const file = dataFile(preparedFolder())
  const store = createSqliteCatalogStore(file, options)
  const holder = openDatabase(file)
  // Not waited for: what another connection holds must not hold up the test.
  holder.pragma('busy_timeout = 0')
  onTestFinished(async () => {
    holder.close()
    await store.close()
  })
  return { store, file, holder }
}

const refs = async (store: ReturnType<typeof open>['store']) =>
  (await store.apps()).map(({ ref }) => ref)

for (const thread of [false, true]) {
  describe(thread ? 'on a thread of its own' : 'on the calling thread', () => {
    test('a transaction whose work does not end is undone, and the next one runs', async () => {
      const { store } = open({ thread, workTime: 50 })
      const late = Promise.withResolvers<void>()
      const stuck = store.transact(async (tx) => {
        await tx.insertApp(NEW_APP)
        await late.promise
        await tx.setAppName(1, 'Late')
      })
      expect((await storageFailure('failed', () => stuck)).message).toMatch(/more than 50 ms/)
      late.resolve()
      await store.transact((tx) => tx.insertApp({ ...NEW_APP, ref: 'player' }))
      expect(await store.apps()).toMatchObject([{ ref: 'player', name: 'Editor' }])
    })

    test('requests that wait for a lock give up together, and later ones are served', async () => {
      const { store, holder } = open({ thread })
      holder.exec('BEGIN IMMEDIATE')
      // One after another they would wait for longer than a test may take.
      const outcomes = await Promise.allSettled(
        Array.from({ length: 500 }, () =>
          store.transact((tx) => tx.insertApp(NEW_APP), { within: 200 }),
        ),
      )
      for (const outcome of outcomes) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'busy' } })
      }
      holder.exec('COMMIT')
      await store.transact((tx) => tx.insertApp(NEW_APP))
      expect(await refs(store)).toEqual(['editor'])
    })

    test('no more than a thousand wait for their turn', async () => {
      const { store } = open({ thread })
      const gate = Promise.withResolvers<void>()
      const first = store.transact(() => gate.promise)
      const waiting = Array.from({ length: 1_000 }, () => store.transact(async () => {}))
      await storageFailure('busy', () => store.transact(async () => {}))
      gate.resolve()
      await Promise.all([first, ...waiting])
    })

    test('closing undoes the transaction under way and gives the lock back', async () => {
      const { store, holder } = open({ thread })
      const began = Promise.withResolvers<void>()
      const under = store.transact(async (tx) => {
        await tx.insertApp(NEW_APP)
        began.resolve()
        await new Promise(() => {})
      })
      under.catch(() => {})
      await began.promise
      expect(() => holder.exec('BEGIN IMMEDIATE')).toThrow(/locked/)
      await store.close()
      holder.exec('BEGIN IMMEDIATE')
      expect(holder.prepare('SELECT count(*) FROM apps').pluck().get()).toBe(0)
      holder.exec('COMMIT')
    })
  })
}

test('the unfinished work of a killed process is undone', async () => {
  const { store, file } = open({ thread: true })
  const process = startFixture('open-transaction.ts', file)
  await process.line()
  await process.kill()
  await store.transact((tx) => tx.insertApp(NEW_APP))
  expect(await refs(store)).toEqual(['editor'])
})

test('the calling thread stays free while a thread waits for the lock', async () => {
  const { store, holder } = open({ thread: true })
  holder.exec('BEGIN IMMEDIATE')
  const waiting = store.transact((tx) => tx.insertApp(NEW_APP))
  // Answered at once, though someone waits.
  expect(await refs(store)).toEqual([])
  holder.exec('COMMIT')
  expect(await waiting).toMatchObject({ ref: 'editor' })
})

test('several processes lose no change of each other', async () => {
  const { store, file } = open()
  const { channelKey, version } = await publishOne(store)
  const writers = [1, 2, 3].map(() =>
    startFixture('raise-rollout.ts', file, String(channelKey), version, '25'),
  )
  for (let time = 0; time < 25; time++) {
    await store.transact(async (tx) => {
      const release = await tx.release(channelKey, version)
      if (release === undefined) throw new Error('no such release')
      await tx.setServing(release.id, { ...release, rolloutPct: release.rolloutPct + 1 })
    })
  }
  for (const writer of writers) expect(await writer.exited).toMatchObject({ code: 0, stderr: '' })
  expect(await store.release(channelKey, version)).toMatchObject({ rolloutPct: 100 })
})
