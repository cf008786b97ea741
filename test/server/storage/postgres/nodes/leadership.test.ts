// @module-tag postgresql

import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { NotLeadingError } from '../../../../../src/server/runtime/cluster/leadership.ts'
import { Changes } from '../../../../../src/server/storage/postgres/changes/changes.ts'
import type { PostgresDatabase } from '../../../../../src/server/storage/postgres/connection/database.ts'
import { postgresPart } from '../../../../../src/server/storage/postgres/engine/postgres-stores.ts'
import { LeaderSession } from '../../../../../src/server/storage/postgres/nodes/leader-session.ts'
import {
  type PostgresLeadership,
  postgresLeaderFacts,
} from '../../../../../src/server/storage/postgres/nodes/leadership.ts'
import type { OwnNode } from '../../../../../src/server/storage/postgres/nodes/own-node.ts'
import { outboxStore } from '../../../../../src/server/storage/relational/stores.ts'
import { eventually } from '../../../../support/eventually.ts'
import { startTcpProxy } from '../../../../support/servers/tcp-proxy.ts'
import { join, open, waiting } from './set-up.ts'

interface Member {
  readonly node: OwnNode
  readonly session: LeaderSession
}

async function member(
  database: PostgresDatabase,
  name: string,
  leaseTime = 5_000,
): Promise<Member> {
  const node = await join(database, name, { leaseTime })
  const session = new LeaderSession(database, node)
  onTestFinished(() => session.close())
  return { node, session }
}

/** Leads until it is lost. Resolves once it leads. */
function lead(leadership: PostgresLeadership): Promise<AbortSignal> {
  return new Promise((resolve) => {
    void leadership.run(async (lost) => {
      resolve(lost)
      if (!lost.aborted) await once(lost, 'abort')
    })
  })
}

/** Ends the session that holds a lock, as an operator or a restart of the database would. */
async function cutLeader(database: PostgresDatabase): Promise<void> {
  await database.rows(
    `SELECT pg_terminate_backend(pid) FROM pg_locks
     WHERE locktype = 'advisory' AND granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  )
}

test('one node leads a task, others can lead another one, and the next leads when it is done', async () => {
  const database = await open()
  const [a, b] = await Promise.all([member(database, 'a'), member(database, 'b')])
  const work = Promise.withResolvers<string>()
  const first = a.session.of('plans').run(() => work.promise)
  await eventually(() => expect(a.session.of('plans').isLeading).toBe(true))
  const order: string[] = []
  const second = b.session.of('plans').run(async () => order.push('second'))
  await b.session.of('backups').run(async () => order.push('other task'))
  order.push('first done')
  work.resolve('done')
  expect(await first).toBe('done')
  await second
  expect(order).toEqual(['other task', 'first done', 'second'])
})

test('work that fails says so', async () => {
  const { session } = await member(await open(), 'a')
  const failure = new Error('failed')
  await expect(session.of('plans').run(() => Promise.reject(failure))).rejects.toBe(failure)
})

test('another node takes over when the connection of the leader is cut', async () => {
  const database = await open()
  const [a, b] = await Promise.all([member(database, 'a'), member(database, 'b')])
  const lost = await lead(a.session.of('outbox'))
  const next = lead(b.session.of('outbox'))
  await cutLeader(database)
  await next
  expect(lost.aborted).toBe(true)
  expect(a.session.of('outbox').isLeading).toBe(false)
  // It connects again, and leads when it can.
  const again = lead(a.session.of('outbox'))
  await b.session.close()
  await again
})

test('a leader whose network hangs is replaced', async () => {
  const database = await open()
  const proxy = await startTcpProxy(database.url)
  const a = await member(await open(proxy.url), 'a', 2_000)
  const b = await member(database, 'b')
  const lost = await lead(a.session.of('outbox'))
  const next = lead(b.session.of('outbox'))
  proxy.hang()
  await once(lost, 'abort')
  await next
  proxy.restore()
})

test('a node that has lost its lease does not lead', async () => {
  const database = await open()
  const [a, b] = await Promise.all([member(database, 'a'), member(database, 'b')])
  const lost = await lead(a.session.of('outbox'))
  const next = lead(b.session.of('outbox'))
  await a.node.leave()
  await eventually(() => expect(lost.aborted).toBe(true))
  await next
})

test('the transaction of a leader that was replaced is refused', async () => {
  const database = await open()
  const { session, node } = await member(database, 'a')
  const leadership = session.of('proving')
  await expect(leadership.assertLeads(database)).rejects.toThrow(NotLeadingError)
  const lost = await lead(leadership)
  await database.transaction((tx) => leadership.assertLeads(tx, lost))
  await database.run("UPDATE leaders SET node = $1, term = term + 1 WHERE name = 'proving'", [
    node.id + 1,
  ])
  const late = database.transaction((tx) => leadership.assertLeads(tx))
  await expect(late).rejects.toThrow(NotLeadingError)
})

test('an outbox takes writes of its leader alone, and those of nobody in particular', async () => {
  const database = await open()
  const [a, b] = await Promise.all([member(database, 'a'), member(database, 'b')])
  const changes = await Changes.open(database)
  onTestFinished(() => changes.close())
  const [ofA, ofB] = [a, b].map(({ session }) => {
    const part = postgresPart(database, changes, 'outbox', {
      assertLeads: (tx, name) => session.of(name).assertLeads(tx),
    })
    const outbox = outboxStore(part)
    return (leading?: 'outbox') => outbox.transact((tx) => tx.setAlarms(['disk_low']), { leading })
  })
  if (!ofA || !ofB) throw new Error('two nodes')
  const lost = await lead(a.session.of('outbox'))
  const next = lead(b.session.of('outbox'))
  await ofA('outbox')
  await ofB()
  await expect(ofB('outbox')).rejects.toThrow(NotLeadingError)
  await cutLeader(database)
  await next
  expect(lost.aborted).toBe(true)
  await expect(ofA('outbox')).rejects.toThrow(NotLeadingError)
  await ofB('outbox')
})

test('work of an earlier term is refused while the same node leads again', async () => {
  const database = await open()
  const { session } = await member(database, 'a')
  const leadership = session.of('proving')
  const before = await lead(leadership)
  await cutLeader(database)
  await eventually(() => expect(before.aborted).toBe(true))
  const now = await lead(leadership)
  await expect(leadership.assertLeads(database, before)).rejects.toThrow(NotLeadingError)
  await leadership.assertLeads(database, now)
})

test('the next leader waits for the transaction of the last one', async () => {
  const database = await open()
  const [a, b] = await Promise.all([member(database, 'a'), member(database, 'b')])
  await lead(a.session.of('plans'))
  const order: string[] = []
  await database.transaction(async (tx) => {
    await a.session.of('plans').assertLeads(tx)
    await a.session.close()
    void lead(b.session.of('plans')).then(() => order.push('led'))
    await waiting(database)
    order.push('committed')
  })
  await eventually(() => expect(order).toEqual(['committed', 'led']))
})

test('what the leader of a task tells is read by all; nobody else tells it', async () => {
  const database = await open()
  const factsOf = async (name: string) => {
    const session = new LeaderSession(database, await join(database, name))
    onTestFinished(() => session.close())
    return { session, facts: postgresLeaderFacts(database, (task) => session.of(task)) }
  }
  const [a, b] = [await factsOf('a'), await factsOf('b')]
  expect(await b.facts.read('plans')).toBeNull()
  const notLeading = { name: 'NotLeadingError' }
  await a.session.of('plans').run(async () => {
    await a.facts.write('plans', 'first')
    await expect(b.facts.write('plans', 'stale')).rejects.toMatchObject(notLeading)
    await expect(a.facts.write('hosting', 'other task')).rejects.toMatchObject(notLeading)
  })
  expect(await b.facts.read('plans')).toBe('first')
  await b.session.of('plans').run(() => b.facts.write('plans', 'second'))
  expect(await a.facts.read('plans')).toBe('second')
  expect(await a.facts.read('hosting')).toBeNull()
})
