// @module-tag postgresql

import { expect, test } from 'vitest'
import { freshDatabase } from '../../../support/postgres/shared-cluster.ts'
import { noticesContract } from '../relational/outbox/notices.contract.ts'
import { newMail, outboxStoreContract } from '../relational/outbox/outbox-store.contract.ts'
import { peopleStoreContract } from '../relational/people/people-store.contract.ts'
import { openNode, testNode } from './open-node.ts'

peopleStoreContract('people in PostgreSQL, on two nodes', async () => {
  const url = await freshDatabase({ prepared: true })
  const [one, other] = await Promise.all([openNode(url), openNode(url)])
  const actions = async () => {
    const entries = await one.catalog.audit({ limit: 100 })
    return entries.map(({ action }) => action).reverse()
  }
  const close = async () => {
    await Promise.all([one.close(), other.close()])
  }
  return { store: one.people, other: other.people, actions, close }
})

test('transactions of all parts on several nodes never wait for each other in a circle', async () => {
  const url = await freshDatabase({ prepared: true })
  const nodes = await Promise.all([testNode(url), testNode(url)])
  const [{ people, outbox }] = nodes
  const at = '2026-03-14T09:26:53.589Z'
  const mail = (id: string) => newMail({ id, nextAt: at })
  const entry = (action: string) => ({
    ...{ at, actor: { kind: 'console', name: 'mia' } as const, action },
    ...{ app: null, channel: null, version: null, before: null, after: null },
  })
  const rounds = Array.from({ length: 10 }, (_, round) => round)
  await Promise.all(
    nodes.flatMap((node, index) =>
      rounds.flatMap((round) => [
        node.people.transact((tx) => tx.insertMail(mail(`person ${index} ${round}`))),
        node.outbox.transact(async (tx) => {
          await tx.insertDelivery(mail(`outbox ${index} ${round}`))
          await tx.appendAudit(entry('outbox'))
        }),
        node.catalog.transact((tx) => tx.appendAudit(entry('catalog'))),
        node.people.recordSessionUse([{ sessionId: 'none', at }]),
      ]),
    ),
  )
  expect((await outbox.due(at, { mails: 99, pushes: 0 })).deliveries).toHaveLength(40)
  await people.close()
  await expect(people.stateUnless(0)).rejects.toMatchObject({ code: 'closed' })
  await expect(people.transact(async () => {})).rejects.toMatchObject({ code: 'closed' })
})

const makeOutbox = async () => {
  const url = await freshDatabase({ prepared: true })
  const [one, other] = await Promise.all([openNode(url), openNode(url)])
  const close = async () => {
    await Promise.all([one.close(), other.close()])
  }
  const { outbox: store, catalog, people } = one
  return { store, other: other.outbox, catalog, people, close }
}

outboxStoreContract('an outbox in PostgreSQL, on two nodes', makeOutbox)
noticesContract('notices in PostgreSQL, on two nodes', makeOutbox)

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
