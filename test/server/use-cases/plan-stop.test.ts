import { describe, expect, test } from 'vitest'
import { advancePlan } from '../../../src/server/catalog/plans/advance-plan.ts'
import type { RunningPlan } from '../../../src/server/use-cases/plans/plan-runner.ts'
import { NO_HEALTH, type ReleaseHealth } from '../../../src/shared/health/health.ts'
import { PRINCIPAL } from '../../support/builders/actor.ts'
import { rolloutPlan } from '../../support/builders/plans.ts'
import { HOUR } from '../../support/builders/time.ts'
import { auditOf, serve, shown } from '../../support/servers/calls.ts'
import { callerOf } from '../../support/servers/console.ts'
import {
  judgeOn,
  publishPlanned,
  RELEASE,
  standing,
  startPlanned,
} from '../../support/servers/planned.ts'
import { startServer, type TestServer } from '../../support/servers/server.ts'

const PLAN = rolloutPlan([
  [10, 48],
  [50, 24],
  [100, 2],
])
const BAD = { ...NO_HEALTH, offered: 500, adopted: 440, stuck: 40, reported: 20 }
/** More failures than the limit, and not so many that it cannot be chance. */
const SUSPECT = { ...BAD, adopted: 475, stuck: 0, reported: 25 }

/** What it is suspected by. */
const HELD = { code: 'too_many_failures', limitPct: 3 }

async function startFailing(plan = PLAN, folder?: string) {
  const { server, time } = await startPlanned(folder)
  await publishPlanned(server, plan)
  const seen = { health: BAD as ReleaseHealth }
  return { server, time, seen, ...judgeOn(server, seen) }
}

/** The plan as the runner hands it to the judge now. */
async function runningPlan({ catalog }: TestServer, health: ReleaseHealth): Promise<RunningPlan> {
  await catalog.refresh()
  const [plan] = await catalog.store.plans(['running'])
  const channel = plan && catalog.snapshot.channelByKey.get(plan.channelKey)
  const release = channel?.compiled.releases[0]?.facts
  if (plan === undefined || channel === undefined || release === undefined) throw new Error('none')
  return { plan, channel, release, health }
}

test('a release that fails is paused with its plan, and the log has the numbers', async () => {
  const { server, runner, judge, failures } = await startFailing()
  await runner.look()
  const reasons = [{ code: 'too_many_failures', failed: 60, judged: 500, stuck: 40 }]
  expect(await standing(server)).toMatchObject({
    ...{ status: 'stopped', reason: 'failures', step: 1, next: null, stopReasons: reasons },
  })
  expect(await shown(server, '1.0.0')).toMatchObject({ status: 'paused', rolloutPct: 10 })
  const [stopped, ...more] = await auditOf(server, 'release.plan_stopped')
  expect(more).toEqual([])
  expect(stopped).toMatchObject({
    ...{ actor: { kind: 'server' }, version: '1.0.0', before: { status: 'running', step: 1 } },
    after: { status: 'stopped', reason: 'failures', action: 'pause', reasons, health: BAD },
  })
  expect(judge.stopped).toEqual([{ ...RELEASE, action: 'pause' }])
  expect(failures).toEqual([])
})

test('it is rolled back if the plan says so', async () => {
  const { server, runner } = await startFailing({ ...PLAN, onFailure: 'rollback' })
  await runner.look()
  expect(await shown(server, '1.0.0')).toMatchObject({ status: 'rolled_back' })
  expect(await standing(server)).toMatchObject({ status: 'stopped', reason: 'failures' })
})

test('a step that is due waits while the release is suspected', async () => {
  const { server, time, seen, runner } = await startFailing()
  seen.health = SUSPECT
  time.now += 48 * HOUR
  await runner.look()
  expect(await standing(server)).toMatchObject({ status: 'running', step: 1, rolloutPct: 10 })
  expect((await standing(server)).next).toEqual({ waitsFor: 'failures', at: null })
  const failing = async () => (await callerOf(server).overview.get()).attention.failing
  expect(await failing()).toEqual([])
  time.now += 24 * HOUR
  await runner.look()
  expect(await failing()).toMatchObject([
    { ...RELEASE, isHeld: true, stoppedAt: null, reasons: [HELD] },
  ])
  seen.health = { ...BAD, adopted: 495, stuck: 5, reported: 0 }
  await runner.look()
  expect(await standing(server)).toMatchObject({ status: 'running', step: 2, rolloutPct: 50 })
  expect((await standing(server)).next).toMatchObject({ waitsFor: 'soak' })
})

test('a stopped plan stays stopped, whatever its devices do and across a restart', async () => {
  const { server, time, seen, runner } = await startFailing()
  await runner.look()
  await server.stop()
  time.now += 100 * HOUR
  const clock = () => time.now
  const again = await startServer({ dataFolder: server.folder }, undefined, { clock })
  seen.health = { ...NO_HEALTH, offered: 500, adopted: 500 }
  await judgeOn(again, seen).runner.look()
  expect(await standing(again)).toMatchObject({ status: 'stopped', step: 1 })
  expect(await shown(again, '1.0.0')).toMatchObject({ status: 'paused', rolloutPct: 10 })
  expect(await auditOf(again, 'release.plan_stopped')).toHaveLength(1)
})

describe('the state that was judged', () => {
  test('is stopped once by two who judge it at the same time', async () => {
    const { server, seen, judge } = await startFailing()
    const other = judgeOn(server, seen).judge
    const running = await runningPlan(server, BAD)
    const answers = await Promise.all([judge.judge(running), other.judge(running)])
    expect(answers.toSorted()).toEqual(['stopped', 'suspected'])
    expect(await auditOf(server, 'release.plan_stopped')).toHaveLength(1)
    expect(await auditOf(server, 'release.serving_changed')).toMatchObject([
      { after: { rolloutPct: 10 } },
      { after: { status: 'paused' } },
    ])
  })

  test.each([
    ['a higher rollout', { rolloutPct: 20 }],
    ['a pause', { status: 'paused' }],
  ])('is left alone after %s by a person', async (_, change) => {
    const { server, judge } = await startFailing()
    const suspected = await runningPlan(server, BAD)
    expect((await serve(server, '1.0.0', change)).status).toBe(200)
    expect(await judge.judge(suspected)).toBe('suspected')
    expect(await standing(server)).toMatchObject({ status: 'suspended', reason: 'changed' })
    expect(await shown(server, '1.0.0')).toMatchObject(change)
  })

  test('is left alone after a person set another plan', async () => {
    const { server, judge } = await startFailing()
    const suspected = await runningPlan(server, BAD)
    const plan = { ...PLAN, maxFailedPct: 50 }
    await server.updates.setPlan(PRINCIPAL, { ...RELEASE, plan })
    expect(await judge.judge(suspected)).toBe('suspected')
    expect(await shown(server, '1.0.0')).toMatchObject({ status: 'published' })
  })

  test('is not advanced by others who saw it before it was suspected', async () => {
    const { server, time, seen, judge } = await startFailing()
    seen.health = SUSPECT
    time.now += 48 * HOUR
    const running = await runningPlan(server, SUSPECT)
    expect(await judge.judge(running)).toBe('suspected')
    await advancePlan(server.catalog, running.channel, running.plan, { health: NO_HEALTH })
    expect(await standing(server)).toMatchObject({ step: 1, rolloutPct: 10 })
  })
})

describe('a person who lets it go on', () => {
  async function startStopped() {
    const failing = await startFailing()
    await failing.runner.look()
    expect((await serve(failing.server, '1.0.0', { status: 'published' })).status).toBe(200)
    return failing
  }

  test.each(['resumes the plan', 'sets another plan'])(
    'accepts the failures so far: %s',
    async (how) => {
      const { server } = await startStopped()
      const plan = { ...PLAN, minSample: 21 }
      if (how === 'resumes the plan') await server.updates.resumePlan(PRINCIPAL, RELEASE)
      else await server.updates.setPlan(PRINCIPAL, { ...RELEASE, plan })
      // Of what the server itself knows of its devices: nothing.
      const nothing = { health: NO_HEALTH, recovered: 0, slow: 0, late: 0 }
      const [stored] = await server.catalog.store.plans(['running'])
      expect(stored).toMatchObject({ accepted: nothing, stopReasons: null, reason: null })
    },
  )

  test('is not asked again about them, only about new ones', async () => {
    const { server, seen, runner } = await startStopped()
    await server.updates.resumePlan(PRINCIPAL, RELEASE)
    const [plan] = await server.catalog.store.plans(['running'])
    if (plan === undefined) throw new Error('no plan')
    const { channelKey: _, version: __, ...record } = plan
    const accepted = { health: BAD, recovered: 0, slow: 0, late: 0 }
    await server.catalog.change((tx) => tx.putPlan({ ...record, accepted }))
    await runner.look()
    expect(await standing(server)).toMatchObject({ status: 'running' })
    seen.health = { ...BAD, adopted: 640, reported: 50 }
    await runner.look()
    expect(await standing(server)).toMatchObject({
      stopReasons: [{ failed: 30, judged: 230, stuck: 0 }],
    })
  })
})
