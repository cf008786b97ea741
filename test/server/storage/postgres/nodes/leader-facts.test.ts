// @module-tag postgresql

import { expect, onTestFinished, test } from 'vitest'
import { LeaderSession } from '../../../../../src/server/storage/postgres/nodes/leader-session.ts'
import { PostgresLeaderFacts } from '../../../../../src/server/storage/postgres/nodes/leadership.ts'
import { join, open } from './set-up.ts'

test('what the leader of a task tells is read by all; nobody else tells it', async () => {
  const database = await open()
  const factsOf = async (name: string) => {
    const session = new LeaderSession(database, await join(database, name))
    onTestFinished(() => session.close())
    return { session, facts: new PostgresLeaderFacts(database, (task) => session.of(task)) }
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
