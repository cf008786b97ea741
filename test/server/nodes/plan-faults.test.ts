// @module-tag postgresql

import { expect, test } from 'vitest'
import { PlanRunner } from '../../../src/server/use-cases/plans/plan-runner.ts'
import { NO_HEALTH } from '../../../src/shared/health/health.ts'
import { PRINCIPAL } from '../../support/builders/actor.ts'
import { rolloutPlan } from '../../support/builders/plans.ts'
import { DAY } from '../../support/builders/time.ts'
import { eventually } from '../../support/eventually.ts'
import { freshDatabase } from '../../support/postgres/shared-cluster.ts'
import { auditOf } from '../../support/servers/calls.ts'
import { publishPlanned, runnerOf, START, standing } from '../../support/servers/planned.ts'
import { startServer } from '../../support/servers/server.ts'
import { startTcpProxy } from '../../support/servers/tcp-proxy.ts'

const PLAN = rolloutPlan()
const FIRST = { status: 'running', step: 1, rolloutPct: 10 }
const SECOND = { status: 'running', step: 2, rolloutPct: 50 }
/** Milliseconds of the longest timer: no server looks by itself. */
const NEVER = 2 ** 31 - 1

/** Two servers on one database, each with a network of its own, whose common clock is moved. */
async function startTwo() {
  const database = await freshDatabase({ prepared: true })
  const time = { now: START }
  const start = async () => {
    const network = await startTcpProxy(database)
    const server = await startServer(
      { database: network.url, plans: { lookEvery: NEVER }, proving: { lookEvery: NEVER } },
      undefined,
      { clock: () => time.now },
    )
    return { server, network, ...runnerOf(server) }
  }
  const [one, other] = await Promise.all([start(), start()])
  await Promise.all([one, other].map(({ server }) => inContact(server.address)))
  await one.server.updates.createApp(PRINCIPAL, { ref: 'editor' })
  return { one, other, time }
}

async function inContact(address: string): Promise<void> {
  await eventually(async () => expect((await fetch(`${address}/healthz`)).status).toBe(200))
}

test.each([
  ['UPDATE releases', 'before', FIRST],
  ['UPDATE releases', 'after', FIRST],
  ['INSERT INTO audit', 'after', FIRST],
  ['COMMIT', 'before', FIRST],
  // Nobody hears that it was committed.
  ['COMMIT', 'after', SECOND],
] as const)(
  'a connection that breaks while a step is applied (%s, %s) applies it once',
  async (text, when, expected) => {
    const { one, other, time } = await startTwo()
    await publishPlanned(one.server, PLAN)
    time.now += DAY
    // Others on this server have commits of their own.
    const following = text === 'COMMIT' ? { following: 'release.plan_step_applied' } : {}
    const broken = one.network.cutAt(text, when, following)
    await one.runner.look()
    await broken
    expect([one.runner.failed, one.seen.failures.length]).toEqual([true, 1])
    await inContact(other.server.address)
    await other.server.catalog.refresh()
    expect(await standing(other.server)).toMatchObject(expected)
    await Promise.all([one, other].map(({ runner }) => runner.look()))
    await other.server.catalog.refresh()
    expect(await standing(other.server)).toMatchObject(SECOND)
    expect(await auditOf(other.server, 'release.plan_step_applied')).toHaveLength(2)
  },
)

test('of two servers that look at the same time one applies a step, although the next one is due as well', async () => {
  const { one, other, time } = await startTwo()
  await publishPlanned(
    one.server,
    rolloutPlan([
      [10, 24],
      [50, 0],
      [100, 24],
    ]),
  )
  time.now += DAY
  const failures: unknown[] = []
  const both = Promise.withResolvers<void>()
  let seen = 0
  const runners = [one, other].map(({ server: { catalog } }) => {
    const judge = async () => {
      if (++seen === 2) both.resolve()
      await both.promise
      return 'fine' as const
    }
    const onFailure = (error: unknown) => failures.push(error)
    const healthOf = async () => NO_HEALTH
    const holdoutOf = async () => null
    const preflight = () => undefined
    return new PlanRunner({
      catalog,
      lookEvery: NEVER,
      healthOf,
      judge,
      holdoutOf,
      preflight,
      onFailure,
    })
  })
  await Promise.all(runners.map((runner) => runner.look()))
  await other.server.catalog.refresh()
  expect(await standing(other.server)).toMatchObject(SECOND)
  expect(await auditOf(other.server, 'release.plan_step_applied')).toHaveLength(2)
  expect(failures).toEqual([])
})
