// @module-tag postgresql

import { expect, test } from 'vitest'
import { freshDatabase } from '../../../support/postgres/shared-cluster.ts'
import { newMail, outboxStoreContract } from '../relational/outbox/outbox-store.contract.ts'
import { openNode, testNode } from './open-node.ts'

outboxStoreContract('an outbox in PostgreSQL, on two nodes', async () => {
  const url = await freshDatabase({ prepared: true })
  const [one, other] = await Promise.all([openNode(url), openNode(url)])
  const close = async () => {
    await Promise.all([one.close(), other.close()])
  }
  const { outbox: store, catalog, people } = one
  return { store, other: other.outbox, catalog, people, close }
})

test('a mail of a transaction that is undone leaves no revision behind', async () => {
  const { people, outbox } = await testNode(await freshDatabase({ prepared: true }))
  const before = outbox.revision()
  const failing = people.transact(async (tx) => {
    await tx.insertMail(newMail())
    throw new Error('on purpose')
  })
  await expect(failing).rejects.toThrow('on purpose')
  expect(await outbox.delivery('mail')).toBeUndefined()
  expect(outbox.revision()).toBe(before)
})

test('a closed store rejects with closed', async () => {
  const { outbox } = await testNode(await freshDatabase({ prepared: true }))
  await outbox.close()
  await expect(outbox.webhooks()).rejects.toMatchObject({ code: 'closed' })
  await expect(outbox.transact(async () => {})).rejects.toMatchObject({ code: 'closed' })
})
