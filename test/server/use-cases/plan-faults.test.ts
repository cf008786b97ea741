import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Catalog } from '../../../src/server/catalog/catalog.ts'
import { advancePlan } from '../../../src/server/catalog/plans/advance-plan.ts'
import type { CatalogStore, CatalogWrites } from '../../../src/server/catalog/store.ts'
import { backupDatabase } from '../../../src/server/storage/sqlite/backup/backup.ts'
import { restoreDatabase } from '../../../src/server/storage/sqlite/backup/restore.ts'
import { dataFile } from '../../../src/server/storage/sqlite/database.ts'
import { createSqliteCatalogStore } from '../../../src/server/storage/sqlite/engine/sqlite-stores.ts'
import { PlanRunner } from '../../../src/server/use-cases/plans/plan-runner.ts'
import { NO_HEALTH } from '../../../src/shared/health/health.ts'
import { ACTOR, PRINCIPAL } from '../../support/builders/actor.ts'
import { temporaryFolder } from '../../support/builders/folders.ts'
import { rolloutPlan } from '../../support/builders/plans.ts'
import { DAY } from '../../support/builders/time.ts'
import { eventually } from '../../support/eventually.ts'
import { startFixture } from '../../support/processes/fixture.ts'
import { auditOf, serve } from '../../support/servers/calls.ts'
import {
  publishPlanned,
  RELEASE,
  runnerOf,
  START,
  standing,
  startPlanned,
} from '../../support/servers/planned.ts'
import { startServer } from '../../support/servers/server.ts'

const PLAN = rolloutPlan()

const FIRST = { status: 'running', step: 1, rolloutPct: 10 }
const SECOND = { status: 'running', step: 2, rolloutPct: 50 }

test('a transaction that fails at any point changes nothing, raises an alarm, and is tried again', async () => {
  const { server, time } = await startPlanned()
  await publishPlanned(server, PLAN)
  time.now += DAY
  const entries = await auditOf(server)
  for (let failing = 1; ; failing++) {
    const { store, calls } = failingAt(server.catalog.store, failing)
    const failures: unknown[] = []
    const runner = new PlanRunner({
      catalog: await Catalog.open(store, undefined, { clock: () => time.now }),
      ...{ lookEvery: 60_000, healthOf: async () => NO_HEALTH, judge: async () => 'fine' },
      holdoutOf: async () => null,
      preflight: () => undefined,
      onFailure: (error) => failures.push(error),
    })
    await runner.look()
    if (calls() < failing) {
      expect(runner.failed).toBe(false)
      break
    }
    expect([runner.failed, failures.length]).toEqual([true, 1])
    await server.catalog.refresh()
    expect(await standing(server)).toMatchObject(FIRST)
    expect(await auditOf(server)).toEqual(entries)
  }
  await server.catalog.refresh()
  expect(await standing(server)).toMatchObject(SECOND)
  expect((await auditOf(server)).slice(entries.length).map(({ action }) => action)).toEqual([
    'release.serving_changed',
    'release.plan_step_applied',
  ])
})

test('of several servers on a database one applies a step', async () => {
  const { server, time, runner } = await startPlanned()
  await publishPlanned(server, PLAN)
  time.now += DAY
  const stores = [1, 2].map(() => createSqliteCatalogStore(dataFile(server.folder)))
  const others = await Promise.all(
    stores.map(async (store) => {
      const catalog = await Catalog.open(store, undefined, { clock: () => time.now })
      return runnerOf({ ...server, catalog }).runner
    }),
  )
  await Promise.all([runner, ...others].map((each) => each.look()))
  await Promise.all(stores.map((store) => store.close()))
  await server.catalog.refresh()
  expect(await standing(server)).toMatchObject(SECOND)
  expect(await auditOf(server, 'release.plan_step_applied')).toHaveLength(2)
})

test('what was decided on a state of a plan is carried out once, although the next step is due as well', async () => {
  const { server } = await startPlanned()
  const plan = rolloutPlan([
    [10, 0],
    [50, 0],
    [100, 1],
  ])
  await publishPlanned(server, plan)
  const [seen] = await server.catalog.store.plans(['running'])
  const channel = server.catalog.snapshot.channelByKey.get(1)
  if (seen === undefined || channel === undefined) throw new Error('there is no plan')
  const advance = () => advancePlan(server.catalog, channel, seen, { health: NO_HEALTH })
  await Promise.all([advance(), advance()])
  expect(await standing(server)).toMatchObject(SECOND)
})

test('a preflight that takes long keeps neither other plans waiting nor the stop of its own', async () => {
  const { server, time } = await startPlanned()
  await server.updates.createChannel(PRINCIPAL, { app: 'editor', name: 'beta' })
  await publishPlanned(server, PLAN)
  await publishPlanned(server, PLAN, { channel: 'beta' })
  time.now += DAY
  let { promise: preflight, resolve: pass } = Promise.withResolvers<void>()
  const { seen, runner } = runnerOf(server, ({ channel }) =>
    channel.record.name === 'stable' ? preflight : undefined,
  )
  await runner.look()
  const { plan } = await server.updates.getPlan(PRINCIPAL, { ...RELEASE, channel: 'beta' })
  expect([plan?.step, (await standing(server)).step]).toEqual([2, 1])
  const judged = () => seen.judged.filter(({ channel }) => channel.record.name === 'stable').length
  // It fails while its preflight runs: the step is not applied, although that passes.
  seen.verdict = 'suspected'
  await runner.look()
  expect(judged()).toBe(2)
  pass()
  await runner.stop()
  expect([judged(), (await standing(server)).step]).toEqual([3, 1])
  ;({ promise: preflight, resolve: pass } = Promise.withResolvers<void>())
  seen.verdict = 'fine'
  await runner.look()
  pass()
  await eventually(async () => expect(await standing(server)).toMatchObject(SECOND))
  expect(seen.failures).toEqual([])
})

test('a server that is killed while it applies a step, or after that, applies it once', async () => {
  for (const [deadly, expected] of [
    ['6', FIRST],
    ['commit', SECOND],
  ] as const) {
    const { server } = await startPlanned()
    await publishPlanned(server, PLAN)
    await server.stop()
    const file = dataFile(server.folder)
    const killed = startFixture('advance-plan.ts', file, String(START + DAY), deadly)
    expect((await killed.exited).signal).toBe('SIGKILL')
    const again = await startServer(
      { dataFolder: server.folder, plans: { lookEvery: 2 ** 31 - 1 } },
      undefined,
      { clock: () => START + DAY },
    )
    expect(await standing(again)).toMatchObject(expected)
    await runnerOf(again).runner.look()
    expect(await standing(again)).toMatchObject(SECOND)
    expect(await auditOf(again, 'release.plan_step_applied')).toHaveLength(2)
  }
})

test('a server applies a step by itself, also after a restart, and once', async () => {
  const time = { now: START }
  const dataFolder = temporaryFolder()
  const start = () =>
    startServer({ dataFolder, plans: { lookEvery: 10 } }, undefined, { clock: () => time.now })
  let server = await start()
  await server.updates.createApp(PRINCIPAL, { ref: 'editor' })
  await publishPlanned(server, PLAN)
  for (const step of [2, 3]) {
    await server.stop()
    time.now += 10 * DAY
    server = await start()
    const { plan } = await eventually(async () => {
      const found = await server.updates.getPlan(PRINCIPAL, RELEASE)
      expect(found.plan?.step).toBe(step)
      return found
    })
    expect(plan).toMatchObject({ appliedAt: new Date(time.now).toISOString() })
  }
  expect(await auditOf(server, 'release.plan_step_applied')).toHaveLength(3)
})

test('a plan of a restored backup waits for a person, who resumes it from where the release stands', async () => {
  const { server, time, runner } = await startPlanned()
  await publishPlanned(server, PLAN)
  const backup = join(temporaryFolder(), 'backup.db')
  await backupDatabase(server.folder, backup)
  time.now += DAY
  await runner.look()
  await serve(server, '1.0.0', { rolloutPct: 60 })
  await server.stop()
  await restoreDatabase(server.folder, backup, { actor: { kind: 'command_line', name: 'ada' } })
  const now = Date.now()
  const restored = await startServer(
    { dataFolder: server.folder, plans: { lookEvery: 2 ** 31 - 1 } },
    undefined,
    { clock: () => now },
  )
  const suspended = { status: 'suspended', reason: 'restored', step: 1, rolloutPct: 60 }
  expect(await standing(restored)).toMatchObject(suspended)
  await runnerOf(restored).runner.look()
  expect(await standing(restored)).toMatchObject(suspended)
  await restored.updates.resumePlan(PRINCIPAL, RELEASE)
  expect(await standing(restored)).toMatchObject({
    ...{ status: 'running', step: 2, rolloutPct: 60 },
    next: { waitsFor: 'soak', at: new Date(now + DAY).toISOString() },
  })
})

test('a plan goes with its channel', async () => {
  const { server } = await startPlanned()
  await server.updates.createChannel(PRINCIPAL, { app: 'editor', name: 'beta' })
  await publishPlanned(server, PLAN, { channel: 'beta' })
  const beta = { app: 'editor', channel: 'beta' }
  await server.updates.changeServing(PRINCIPAL, { ...beta, version: '1.0.0', status: 'paused' })
  expect(await server.catalog.store.plans(['suspended'])).toHaveLength(1)
  await server.updates.removeChannel(PRINCIPAL, { ...beta, confirmation: 'beta' })
  expect(await server.catalog.store.plans(['suspended', 'running'])).toEqual([])
  expect((await auditOf(server)).at(-1)).toMatchObject({ actor: ACTOR, action: 'channel.removed' })
})

/** A store whose transactions fail at that call. */
function failingAt(store: CatalogStore, failing: number) {
  let calls = 0
  const counted = (tx: CatalogWrites): CatalogWrites =>
    new Proxy(tx, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        return async (...args: unknown[]) => {
          calls += 1
          if (calls === failing) throw new Error('the disk is full')
          return await Reflect.apply(method, target, args)
        }
      },
    })
  const failingStore: CatalogStore = new Proxy(store, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      if (name !== 'transact') return method.bind(target)
      return (work: (tx: CatalogWrites) => Promise<unknown>) =>
        target.transact((tx) => work(counted(tx)))
    },
  })
  return { store: failingStore, calls: () => calls }
}
