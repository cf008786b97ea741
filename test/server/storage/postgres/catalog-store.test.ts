// @module-tag postgresql

import { expect, test } from 'vitest'
import type { AuditEntry } from '../../../../src/server/catalog/audit-log.ts'
import type { CatalogWrites } from '../../../../src/server/catalog/store.ts'
import { DEFAULT_POLICY } from '../../../../src/shared/releases/channel.ts'
import { freshDatabase } from '../../../support/postgres/shared-cluster.ts'
import {
  AT,
  auditEntry,
  newApp,
  newChannel,
} from '../relational/catalog/catalog-contract/subject.ts'
import { catalogStoreContract } from '../relational/catalog/catalog-store.contract.ts'
import { type OpenNode, openNode, testNode } from './open-node.ts'

catalogStoreContract('a catalog in PostgreSQL, on two nodes', async () => {
  const url = await freshDatabase({ prepared: true })
  const [one, other] = await Promise.all([openNode(url), openNode(url)])
  const close = async () => {
    await Promise.all([one.close(), other.close()])
  }
  return { store: one.catalog, other: other.catalog, close }
})

const twoNodes = async () => {
  const url = await freshDatabase({ prepared: true })
  return await Promise.all([testNode(url), testNode(url)])
}

const addChannel = ({ catalog }: OpenNode) =>
  catalog.transact(async (tx) => {
    const app = await tx.insertApp(newApp('editor'))
    return await tx.insertChannel(newChannel(app, 'stable'))
  })

test('entries of all stores of two nodes become visible in the order of their ids', async () => {
  const [one, other] = await twoNodes()
  const parts = [one, other].flatMap(({ catalog, people, outbox }) => [catalog, people, outbox])
  const stores = Array.from({ length: 8 }, () => parts).flat()
  const append = (tx: Pick<CatalogWrites, 'appendAudit'>) =>
    tx.appendAudit(auditEntry({ before: null, after: null }))
  let isWriting = true
  const seen: unknown[] = []
  const read = async () => {
    const above = seen.length
    const last = await one.catalog.lastAuditId()
    const entries = await one.catalog.auditIn({}, { above, through: last }, 99)
    expect(entries).toHaveLength(last - above)
    seen.push(...entries)
  }
  const reading = (async () => {
    while (isWriting) await read()
  })()
  await Promise.all(stores.map((store) => store.transact(append)))
  isWriting = false
  await reading
  await read()
  expect(seen).toHaveLength(stores.length)
})

test('a transaction that does not get its lock in time is busy', async () => {
  const [one, other] = await twoNodes()
  await one.catalog.transact(async () => {
    const late = other.catalog.transact((tx) => tx.apps(), { within: 50 })
    await expect(late).rejects.toMatchObject({ code: 'busy' })
    const queued = one.catalog.transact((tx) => tx.apps(), { within: 50 })
    await expect(queued).rejects.toMatchObject({ code: 'busy' })
  })
  expect(await other.catalog.transact((tx) => tx.apps())).toEqual([])
})

test('work that takes too long is undone, and its operations reject', async () => {
  const node = await testNode(await freshDatabase({ prepared: true }), { workTime: 50 })
  const { promise: never } = Promise.withResolvers<void>()
  const leaked: CatalogWrites[] = []
  const late = node.catalog.transact(async (tx) => {
    leaked.push(tx)
    await tx.insertApp(newApp('editor'))
    await never
  })
  await expect(late).rejects.toMatchObject({ code: 'failed' })
  for (const tx of leaked) await expect(tx.apps()).rejects.toMatchObject({ code: 'closed' })
  expect(await node.catalog.apps()).toEqual([])
})

test('closing undoes a transaction that is under way, and refuses others', async () => {
  const [one, other] = await twoNodes()
  const { promise: never } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const open = one.catalog.transact(async (tx) => {
    await tx.insertApp(newApp('editor'))
    begin()
    await never
  })
  const refused = expect(open).rejects.toMatchObject({ code: 'closed' })
  await begun
  await one.catalog.close()
  await refused
  await expect(one.catalog.apps()).rejects.toMatchObject({ code: 'closed' })
  await expect(one.catalog.transact(async () => {})).rejects.toMatchObject({ code: 'closed' })
  expect(await other.catalog.apps()).toEqual([])
})

test('people may write any character', async () => {
  const [node] = await twoNodes()
  const { appKey, key: channelKey } = await addChannel(node)
  const odd = 'a\0b\u0001c\u00010\ud800'
  const change = { kind: 'publish', ...{ notes: odd, artifacts: [] } }
  const request = {
    ...{ id: 'one', appKey, channelKey, version: '1.0.0', comment: 'a\0\u0001' },
    ...{ proposer: 'x', proposedBy: 'x', proposedAt: AT, expiresAt: AT, closed: null },
    preview: JSON.parse('{}'),
    change: JSON.parse(JSON.stringify(change)),
  }
  const entry: AuditEntry = { ...auditEntry({ before: odd, after: { odd } }), channel: 'a\0B' }
  await node.catalog.transact(async (tx) => {
    await tx.insertChangeRequest(request)
    await tx.appendAudit(entry)
    await tx.setPolicy(channelKey, DEFAULT_POLICY)
  })
  expect(await node.catalog.changeRequest('one')).toEqual(request)
  const query = { appKeys: [appKey], state: 'open', limit: 5 } as const
  expect(await node.catalog.changeRequests(query)).toEqual([
    { ...request, change: { kind: 'publish' } },
  ])
  const span = { above: 0, through: await node.catalog.lastAuditId() }
  expect(await node.catalog.auditIn({ search: 'A\0b' }, span, 5)).toMatchObject([entry])
  expect(await node.catalog.countAudit({ search: 'A\u0001b' }, span)).toBe(0)
})
