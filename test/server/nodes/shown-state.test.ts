// @module-tag postgresql

import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { rolloutPlan } from '../../support/builders/plans.ts'
import { DAY } from '../../support/builders/time.ts'
import { eventually } from '../../support/eventually.ts'
import { freshDatabase } from '../../support/postgres/shared-cluster.ts'
import { publish } from '../../support/servers/calls.ts'
import { callerOf } from '../../support/servers/console.ts'
import { startServer, startWithApp, type TestServer } from '../../support/servers/server.ts'

const overviewOf = (server: TestServer) => callerOf(server).overview.get()

test('a plan that the leader cannot advance is shown on each node, also after another one leads', async () => {
  const database = await freshDatabase({ prepared: true })
  const time = { now: Date.parse('2026-11-20T10:00:00.000Z') }
  const config = { database, plans: { lookEvery: 100 } }
  const parts = { clock: () => time.now }
  const one = await startWithApp(config, undefined, parts)
  const other = await startServer(config, undefined, parts)
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  onTestFinished(() => client.end())
  const leader = async () => {
    const { rows } = await client.query("SELECT node FROM leaders WHERE name = 'plans'")
    return rows[0]?.node as number | undefined
  }
  const plan = rolloutPlan([
    [10, 24],
    [100, 24],
  ])
  await publish(one, '1.0.0', { plan })
  await client.query(`CREATE FUNCTION refuse_in_test() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'refused for a test'; END $$;
    CREATE TRIGGER refuse_in_test BEFORE UPDATE ON releases FOR EACH ROW EXECUTE FUNCTION refuse_in_test()`)
  const bothShow = (plansFailed: boolean) =>
    eventually(async () => {
      for (const server of [one, other]) {
        expect((await overviewOf(server)).attention.plansFailed).toBe(plansFailed)
      }
    })
  await bothShow(false)
  time.now += DAY
  await bothShow(true)
  const first = await leader()
  expect(first).toBe(one.consoleContext.nodes?.id)
  await one.stop()
  await eventually(async () => expect(await leader()).toBe(other.consoleContext.nodes?.id))
  await eventually(async () => {
    expect((await overviewOf(other)).attention.plansFailed).toBe(true)
  })
  await client.query('DROP TRIGGER refuse_in_test ON releases')
  await eventually(async () => {
    expect((await overviewOf(other)).attention.plansFailed).toBe(false)
  })
})
