import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  changedPlan,
  type PlanRecord,
} from '../../../../../src/server/catalog/plans/plan-record.ts'
import { backupDatabase } from '../../../../../src/server/storage/sqlite/backup/backup.ts'
import { restoreDatabase } from '../../../../../src/server/storage/sqlite/backup/restore.ts'
import { dataFile } from '../../../../../src/server/storage/sqlite/database.ts'
import type { StopReason } from '../../../../../src/shared/health/judgement.ts'
import { ACTOR, PRINCIPAL } from '../../../../support/builders/actor.ts'
import { temporaryFolder } from '../../../../support/builders/folders.ts'
import { freeze, rolloutPlan } from '../../../../support/builders/plans.ts'
import { HOUR } from '../../../../support/builders/time.ts'
import { publish, serve, setPolicy } from '../../../../support/servers/calls.ts'
import { checkAs, offeredTo } from '../../../../support/servers/fleet-calls.ts'
import { PLACE, startPlanned } from '../../../../support/servers/planned.ts'
import { startServer, type TestServer } from '../../../../support/servers/server.ts'
import { type Row, rowsByTable, writeFixture } from '../../upgrade/fixture.ts'

const PLAN = rolloutPlan([
  [10, 24],
  [100, 24],
])
const REASON: StopReason = {
  ...{ code: 'too_many_failures', failed: 40, judged: 500, stuck: 0 },
  ...{ failedPct: 5.93, limitPct: 5, usualPct: 0 },
}
const EARLY = {
  deviceIds: ['ada'],
  targets: [{ matchLabels: { ring: 'me' }, matchExpressions: [] }],
}
const FREEZE = freeze('2026-12-24', '2026-12-26', 'Europe/Berlin')
const since = new Date(0).toISOString()

/** How a plan stands when the backup is made, by the version of its release. */
const STATES: Readonly<Record<string, Partial<PlanRecord>>> = {
  '1.0.0': {},
  '1.1.0': { suspectedSince: since },
  '1.2.0': { status: 'suspended', reason: 'requested', since },
  '1.3.0': { status: 'stopped', reason: 'failures', since, stopReasons: [REASON] },
  '1.4.0': { status: 'finished', since, step: 2 },
}

/** What counts devices, and what they are counted from. */
const HEALTH = [
  ...['offered_releases', 'release_counts', 'health_samples', 'outcome_details'],
  ...['device_states', 'check_ins'],
] as const

/** A server with plans of every kind, devices in episodes, early access and a freeze. */
async function fill({ catalog, fleet, updates, ...server }: TestServer, time: { now: number }) {
  const all = { catalog, fleet, updates, ...server }
  await publish(all, '0.9.0')
  for (const device of ['waits', 'adopts', 'fails']) {
    expect(await offeredTo(all, '0.1.0', { device })).toBe('0.9.0')
  }
  time.now += HOUR
  await checkAs(all, '0.9.0', { device: 'adopts' })
  const failed = { outcome: 'failed' as const, detail: 'The disk is full', caller: '::1' }
  await updates.reportOutcome({ ...PLACE, version: '0.9.0', deviceId: 'fails', ...failed })
  await fleet.settled()
  await fleet.sampleHealth(time.now)
  await setPolicy(all, { earlyAccess: EARLY, manualChecks: true })
  await updates.setFreezes(PRINCIPAL, { app: 'editor', freezes: [FREEZE] })
  for (const [version, change] of Object.entries(STATES)) {
    const { id } = await publish(all, version, { plan: PLAN })
    const record = await catalog.store.plan(id)
    if (record === undefined) throw new Error(`${version} has no plan`)
    await catalog.change((tx) => tx.putPlan(changedPlan(record, change)))
  }
}

/** What happens after the backup: everything becomes another. */
async function change({ catalog, fleet, updates, ...server }: TestServer, time: { now: number }) {
  const all = { catalog, fleet, updates, ...server }
  time.now += 100 * HOUR
  await checkAs(all, '0.9.0', { device: 'waits' })
  expect((await checkAs(all, '0.1.0', { device: 'later' })).status).toBe(200)
  await fleet.settled()
  await fleet.sampleHealth(time.now)
  await setPolicy(all, { earlyAccess: { deviceIds: [], targets: [] }, manualChecks: false })
  await updates.setFreezes(PRINCIPAL, { app: 'editor', freezes: [] })
  await serve(all, '1.0.0', { rolloutPct: 50 })
  await serve(all, '1.3.0', { status: 'rolled_back' })
  await updates.removePlan(PRINCIPAL, { ...PLACE, version: '1.2.0' })
  await publish(all, '1.5.0', { plan: PLAN })
}

test('a restore brings health, early access, freezes and plans back, and suspends what ran', async () => {
  const { server, time } = await startPlanned()
  const { folder } = server
  await fill(server, time)
  const backup = join(temporaryFolder(), 'backup.db')
  await backupDatabase(folder, backup)
  await change(server, time)
  await server.stop()
  const { carriedOver } = await restoreDatabase(folder, backup, { actor: ACTOR })
  expect(carriedOver).toMatchObject({ servingKept: 1, rolledBack: 1 })

  const [before, after] = [backup, dataFile(folder)].map(rowsByTable)
  for (const table of HEALTH) expect(after?.get(table), table).toEqual(before?.get(table))
  const parts = (rows: readonly Row[] = [], ...columns: string[]) =>
    rows.map((row) => columns.map((column) => row[column]))
  for (const [table, ...columns] of [
    ['channels', 'early_access', 'manual_checks'],
    ['apps', 'freezes'],
  ] as const) {
    const restored = parts(after?.get(table), ...columns)
    expect(restored, table).toEqual(parts(before?.get(table), ...columns))
    expect(JSON.stringify(restored)).toMatch(/ada|Berlin/)
  }
  const plans = after?.get('plans') ?? []
  for (const [index, row] of (before?.get('plans') ?? []).entries()) {
    const { revision, since, ...same } = row
    const suspended = { ...same, status: 'suspended', reason: 'restored', suspected_since: null }
    if (row.status === 'running') expect(plans[index]).toMatchObject(suspended)
    else expect(plans[index]).toEqual(row)
    expect(plans[index]?.revision === revision).toBe(row.status !== 'running')
  }
  expect(plans).toHaveLength(Object.keys(STATES).length)

  const config = { dataFolder: folder, plans: { lookEvery: 2 ** 31 - 1 } }
  const restored = await startServer(config, undefined, { clock: () => time.now })
  const planOf = async (version: string) =>
    (await restored.updates.getPlan(PRINCIPAL, { ...PLACE, version })).plan
  expect(await planOf('1.0.0')).toMatchObject({ status: 'suspended', reason: 'restored', step: 1 })
  expect(await planOf('1.1.0')).toMatchObject({
    status: 'suspended',
    reason: 'restored',
    next: null,
  })
  expect(await planOf('1.2.0')).toMatchObject({ status: 'suspended', reason: 'requested' })
  // The rollback since the backup is carried over to the release; its plan had stopped already.
  expect(await planOf('1.3.0')).toMatchObject({ status: 'stopped', stopReasons: [REASON] })
  expect(await planOf('1.4.0')).toMatchObject({ status: 'finished', step: 2 })
  const resumed = await restored.updates.resumePlan(PRINCIPAL, { ...PLACE, version: '1.1.0' })
  expect(resumed).toMatchObject({ status: 'running', next: { waitsFor: 'soak' } })

  const health = async () =>
    (await restored.updates.showHealth(PRINCIPAL, { ...PLACE, version: '0.9.0' })).health
  // By now the one that waited is silent.
  expect(await health()).toMatchObject({ offered: 3, adopted: 1, reported: 1 })
  // What it did since the backup is not known, and shows with its next check.
  await checkAs(restored, '0.9.0', { device: 'waits' })
  await restored.fleet.settled()
  expect(await health()).toMatchObject({ offered: 3, waiting: 0, silent: 0, adopted: 2 })
})

// Before health, before plans, before plans were stopped, and before they were suspected.
test.each([14, 16, 17, 18])('a backup of schema %i is restored', async (version) => {
  const [source, folder] = [temporaryFolder(), temporaryFolder()]
  writeFixture(version, source)
  const backup = join(temporaryFolder(), 'backup.db')
  await backupDatabase(source, backup)
  await restoreDatabase(folder, backup, { actor: ACTOR })
  const restored = await startServer({ dataFolder: folder })
  const plans = await restored.catalog.store.plans(['running', 'suspended'])
  expect(
    plans.map(({ status, reason, suspectedSince }) => [status, reason, suspectedSince]),
  ).toEqual(version < 17 ? [] : [['suspended', 'restored', null]])
})
