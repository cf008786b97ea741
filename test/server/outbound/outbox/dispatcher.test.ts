import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { newDelivery } from '../../../../src/server/outbound/outbox/collecting.ts'
import { Dispatcher } from '../../../../src/server/outbound/outbox/dispatcher.ts'
import { GIVE_UP, nextAttempt, waitAfter } from '../../../../src/server/outbound/outbox/retry.ts'
import type { OutboxStore } from '../../../../src/server/outbound/outbox/store.ts'
import { dataFile } from '../../../../src/server/storage/sqlite/database.ts'
import {
  createSqliteCatalogStore,
  createSqliteOutboxStore,
} from '../../../../src/server/storage/sqlite/engine/sqlite-stores.ts'
import { preparedFolder } from '../../../support/builders/folders.ts'
import { eventually } from '../../../support/eventually.ts'

const NOW = Date.UTC(2026, 2, 14, 9)
const AT = new Date(NOW).toISOString()
const DELIVERED = {
  attempt: { at: AT, milliseconds: 1, status: 204, failure: null, response: '' },
  ...{ delivered: true, gone: false, retryAfter: 0 },
}

/** An outbox with two deliveries that are due for one webhook. */
async function outboxWithTwo() {
  const file = dataFile(preparedFolder())
  const catalog = createSqliteCatalogStore(file)
  const store = createSqliteOutboxStore(file, catalog.transactions)
  onTestFinished(async () => {
    store.close()
    await catalog.close()
  })
  const data = { app: 'editor', channel: 'stable', version: '1.0.0' }
  const event = { type: 'release.published', timestamp: AT, data } as const
  const deliveries = [1, 2].map(() =>
    newDelivery({
      to: { kind: 'webhook', webhookId: 'chat' },
      type: event.type,
      payload: JSON.stringify(event),
      now: NOW,
    }),
  )
  await store.transact(async (tx) => {
    await tx.insertWebhook({
      ...{ id: 'chat', name: 'Chat', url: 'https://hooks.example/x', format: 'standard' },
      ...{ appKey: null, events: ['release.published'], secret: 'whsec_x', previous: null },
      ...{ createdAt: AT, disabled: null, failingSince: null, dropped: 0, revision: 1 },
    })
    for (const delivery of deliveries) await tx.insertDelivery(delivery)
  })
  return { store, ids: deliveries.map(({ id }) => id) }
}

/** The store, some of whose methods are others. */
function storeWith(store: OutboxStore, others: Partial<OutboxStore>): OutboxStore {
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(others, name) ?? Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

test('what is delivered while a look waits for its answer is not sent again', async () => {
  const { store, ids } = await outboxWithTwo()
  const [answer, look] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const sent: string[] = []
  let asked = 0
  const held = storeWith(store, {
    async due(at, limits) {
      const due = await store.due(at, limits)
      if (++asked === 2) await look.promise
      return due
    },
  })
  const dispatcher = new Dispatcher({
    ...{ store: held, clock: () => NOW },
    async sendToWebhook(_, { id }) {
      sent.push(id)
      await answer.promise
      return DELIVERED
    },
    onFailure: (error) => {
      throw error
    },
  })
  dispatcher.start()
  onTestFinished(() => dispatcher.stop())
  dispatcher.wake()
  await eventually(() => expect(sent).toEqual([ids[0]]))
  dispatcher.wake()
  await eventually(() => expect(asked).toBe(2))
  answer.resolve()
  await eventually(async () => {
    const stored = await store.deliveriesOf('chat', 10)
    expect(stored.find(({ id }) => id === ids[0])?.state).toBe('delivered')
  })
  // The attempt is over only after its outcome is stored.
  await turn()
  look.resolve()
  await eventually(() => expect(sent.length).toBeGreaterThan(1))
  expect(sent).toEqual(ids)
})

test('what was sent is not sent again while its outcome cannot be stored', async () => {
  const { store, ids } = await outboxWithTwo()
  const full = new Error('the disk is full')
  const failures: unknown[] = []
  const sent: string[] = []
  let isFull = true
  const dispatcher = new Dispatcher({
    store: storeWith(store, {
      async transact(work) {
        if (isFull && sent.length > 0) throw full
        return await store.transact(work)
      },
    }),
    clock: () => NOW,
    async sendToWebhook(_, { id }) {
      sent.push(id)
      await turn()
      return DELIVERED
    },
    onFailure: (error) => failures.push(error),
  })
  dispatcher.start()
  onTestFinished(() => dispatcher.stop())
  dispatcher.wake()
  await eventually(() => expect(failures.length).toBeGreaterThan(2))
  expect(sent).toEqual([ids[0]])
  isFull = false
  await eventually(async () => {
    const stored = await store.deliveriesOf('chat', 10)
    expect(stored.map(({ state, tries }) => [state, tries])).toEqual([
      ['delivered', 1],
      ['delivered', 1],
    ])
  })
  expect(sent).toEqual(ids)
})

test('waits grow threefold up to four hours, a fifth more or less', () => {
  const waits = [1, 2, 3, 10, 20].map((tries) => waitAfter(tries, 0.5))
  expect(waits).toEqual([5_000, 15_000, 45_000, 14_400_000, 14_400_000])
  expect([waitAfter(1, 0), waitAfter(1, 1)]).toEqual([4_000, 6_000])
})

test('tries again for 24 hours', () => {
  const giveUpAt = new Date(GIVE_UP).toISOString()
  let now = 0
  let tries = 0
  for (;;) {
    tries += 1
    const next = nextAttempt({ tries, giveUpAt }, now)
    if (next === null) break
    expect(Date.parse(next)).toBeGreaterThan(now)
    now = Date.parse(next)
  }
  expect(now).toBeGreaterThan(GIVE_UP - 5 * 3_600_000)
  expect(now).toBeLessThanOrEqual(GIVE_UP)
  expect(tries).toBeGreaterThan(10)
  expect(tries).toBeLessThan(20)
})

test('waits longer if the receiver asks for it, within bounds', () => {
  const giveUpAt = new Date(GIVE_UP).toISOString()
  expect(nextAttempt({ tries: 1, giveUpAt }, 0, 60_000)).toBe(new Date(60_000).toISOString())
  const longest = new Date(4 * 3_600_000).toISOString()
  expect(nextAttempt({ tries: 1, giveUpAt }, 0, GIVE_UP)).toBe(longest)
})
