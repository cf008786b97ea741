// @module-tag postgresql

import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import type { LeadershipName } from '../../../src/server/runtime/cluster/leadership.ts'
import { PostgresDatabase } from '../../../src/server/storage/postgres/connection/database.ts'
import { rolloutPlan } from '../../support/builders/plans.ts'
import { DAY } from '../../support/builders/time.ts'
import { eventually } from '../../support/eventually.ts'
import { freshDatabase } from '../../support/postgres/shared-cluster.ts'
import { publish, setPolicy } from '../../support/servers/calls.ts'
import { publishPlanned, START, standing } from '../../support/servers/planned.ts'
import { startWithApp } from '../../support/servers/server.ts'

const PLAN = rolloutPlan()

/** A server that leads on a database of its own, whose clock is moved. */
async function startLeader() {
  const url = await freshDatabase({ prepared: true })
  const database = new PostgresDatabase(url, 1)
  onTestFinished(() => database.close())
  const refused: string[] = []
  const write = (line: string) => {
    const { err, msg } = JSON.parse(line)
    if (err?.type === 'NotLeadingError') refused.push(msg)
  }
  const time = { now: START }
  const server = await startWithApp(
    { database: url, plans: { lookEvery: 50 }, proving: { lookEvery: 50 } },
    pino({ level: 'error' }, { write }),
    { clock: () => time.now },
  )
  return { server, time, database, refused }
}

/** Another server has led since, of which this one, which stood still, has not heard yet. */
async function replaceLeader(database: PostgresDatabase, task: LeadershipName): Promise<void> {
  await eventually(async () => {
    const next = 'UPDATE leaders SET node = node + 1, term = term + 1 WHERE name = $1'
    expect(await database.run(next, [task])).toBe(1)
  })
}

test('a former leader applies no step of a plan', async () => {
  const { server, time, database, refused } = await startLeader()
  await publishPlanned(server, PLAN)
  await eventually(async () => expect(await standing(server)).toMatchObject({ step: 1 }))
  await replaceLeader(database, 'plans')
  time.now += DAY
  await eventually(() => expect(refused).toContain('could not advance a rollout plan'))
  await server.catalog.refresh()
  expect(await standing(server)).toMatchObject({ status: 'running', step: 1, rolloutPct: 10 })
})

test('a former leader records no proof', async () => {
  const { server, database, refused } = await startLeader()
  await replaceLeader(database, 'proving')
  await setPolicy(server, { proving: 'warn' })
  await publish(server, '1.0.0')
  await eventually(() => expect(refused).toContain('could not prove a release'))
  expect(await database.rows('SELECT * FROM proofs')).toEqual([])
})
