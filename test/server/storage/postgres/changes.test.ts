// @module-tag postgresql

import { expect, onTestFinished, test, vi } from 'vitest'
import type { FileRecord } from '../../../../src/server/hosting/shared/records.ts'
import { postgresFileRecords } from '../../../../src/server/storage/postgres/hosting/hosting-records.ts'
import { raiseRevision } from '../../../../src/server/storage/postgres/transactions/parts.ts'
import { freshDatabase } from '../../../support/postgres/shared-cluster.ts'
import { newApp } from '../relational/catalog/catalog-contract/subject.ts'
import { type OpenNode, testNode } from './open-node.ts'

const PATIENTLY = { timeout: 20_000, interval: 20 } as const

const FILE = { sha512: 'ab'.repeat(64), name: 'Editor.exe', size: 1, storedAt: 1, key: null }

const LISTENERS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND query LIKE '%catalog_state) AS catalog%'
    AND pid <> pg_backend_pid()`

const twoNodes = async () => {
  const url = await freshDatabase({ prepared: true })
  return await Promise.all([testNode(url), testNode(url)])
}

/** Ends the connections that listen. Returns how many. */
const cut = async ({ database }: OpenNode) => (await database.rows(LISTENERS)).length

test('a commit calls those who watch its part, on every node', async () => {
  const [one, other] = await twoNodes()
  const [catalog, people] = [vi.fn(), vi.fn()]
  onTestFinished(one.changes.watch('catalog', catalog))
  onTestFinished(one.changes.watch('people', people))
  const stop = one.changes.watch('catalog', () => expect.unreachable())
  stop()
  await other.catalog.transact((tx) => tx.insertApp(newApp('editor')))
  await vi.waitFor(() => expect(catalog).toHaveBeenCalled(), PATIENTLY)
  expect(people).not.toHaveBeenCalled()
  expect(one.changes.newest('catalog')).toBe(await other.catalog.revision())
  await other.database.transaction((tx) => raiseRevision(tx, 'people'))
  await vi.waitFor(() => expect(people).toHaveBeenCalled(), PATIENTLY)
})

test('a commit without a notification is found', async () => {
  const [one, other] = await twoNodes()
  const listener = vi.fn()
  onTestFinished(one.changes.watch('outbox', listener))
  await other.database.run('UPDATE outbox_state SET revision = revision + 1')
  await vi.waitFor(() => expect(listener).toHaveBeenCalledOnce(), PATIENTLY)
})

test('when its connection is cut, a node connects again and misses nothing', async () => {
  const [one, other] = await twoNodes()
  const listener = { onChange: vi.fn(async () => {}), onFailure: vi.fn() }
  onTestFinished(one.catalog.watch(listener))
  const watcher = vi.fn()
  onTestFinished(one.changes.watch('people', watcher))
  await vi.waitFor(() => expect(listener.onChange).toHaveBeenCalledTimes(1), PATIENTLY)
  for (const calls of [2, 3]) {
    expect(await cut(one)).toBeGreaterThan(0)
    await other.catalog.transact((tx) => tx.insertApp(newApp(`app-${calls}`)))
    await vi.waitFor(() => expect(listener.onChange).toHaveBeenCalledTimes(calls), PATIENTLY)
    // Whatever happened meanwhile.
    await vi.waitFor(() => expect(watcher).toHaveBeenCalledTimes(calls - 1), PATIENTLY)
  }
})

test('every node hears of each change of the files that all know, once it is committed', async () => {
  const [one, other] = await twoNodes()
  const records = ({ database, changes }: OpenNode) =>
    postgresFileRecords(database, changes, () => 1)
  const change = (work: (record: FileRecord) => Promise<void>) =>
    records(other).exclusively(FILE.sha512, work)
  const heard = vi.fn()
  onTestFinished(records(one).watch(heard))
  const works: readonly ((record: FileRecord) => Promise<void>)[] = [
    (record) => record.put(FILE),
    (record) => record.setLost(),
    (record) => record.remove(),
  ]
  for (const [index, work] of works.entries()) {
    await change(async (record) => {
      await work(record)
      throw new Error('undone')
    }).catch(() => {})
    await change(work)
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(index + 1), PATIENTLY)
  }
})

test('what a node commits is known to it at once', async () => {
  const [node] = await twoNodes()
  await node.catalog.transact((tx) => tx.insertApp(newApp('editor')))
  expect(node.changes.newest('catalog')).toBe(await node.catalog.revision())
})

test('messages are heard by those who want them, and again after a cut', async () => {
  const [one, other] = await twoNodes()
  const send = (message: string) =>
    other.database.run("SELECT pg_notify('tidegate_messages', $1)", [message])
  const [heard, catalog] = [vi.fn(), vi.fn()]
  onTestFinished(one.changes.watch('catalog', catalog))
  const stop = one.changes.hear(heard)
  await vi.waitFor(async () => {
    await send('first')
    expect(heard).toHaveBeenCalledWith('first')
  }, PATIENTLY)
  await vi.waitFor(async () => expect(await cut(other)).toBeGreaterThan(0), PATIENTLY)
  await vi.waitFor(async () => {
    await send('again')
    expect(heard).toHaveBeenCalledWith('again')
  }, PATIENTLY)
  stop()
  const last = vi.fn()
  onTestFinished(other.changes.hear(last))
  await vi.waitFor(async () => {
    await send('late')
    expect(last).toHaveBeenCalledWith('late')
  }, PATIENTLY)
  expect(heard).not.toHaveBeenCalledWith('late')
  expect(catalog).not.toHaveBeenCalled()
})
