import { describe, expect, test } from 'vitest'
import { changeServing } from '../../../src/server/catalog/releases/serving.ts'
import { PublishBody } from '../../../src/shared/releases/release.ts'
import { ACTOR, PRINCIPAL } from '../../support/builders/actor.ts'
import { planOf, rolloutPlan } from '../../support/builders/plans.ts'
import { publishBody } from '../../support/builders/releases.ts'
import { DAY, HOUR } from '../../support/builders/time.ts'
import { auditOf, serve, setPolicy } from '../../support/servers/calls.ts'
import { ada, ben, refusalOf } from '../../support/servers/guarded.ts'
import {
  admitRings,
  PLACE,
  publishPlanned,
  RELEASE,
  runnerOf,
  standing,
  startPlanned,
} from '../../support/servers/planned.ts'

const PLAN = rolloutPlan()

describe('a change by hand', () => {
  test.each<[string, Record<string, unknown>]>([
    ['of the rollout', { rolloutPct: 30 }],
    ['of the targets', { targets: { matchLabels: { ring: 'beta' } } }],
    ['of the status', { status: 'paused' }],
  ])('%s suspends the plan in the same transaction', async (_, change) => {
    const { server, time, runner } = await startPlanned()
    await publishPlanned(server, PLAN)
    expect((await serve(server, '1.0.0', change)).status).toBe(200)
    expect(await standing(server)).toMatchObject({
      status: 'suspended',
      reason: 'changed',
      step: 1,
    })
    expect((await auditOf(server)).slice(-2)).toMatchObject([
      { action: 'release.serving_changed', actor: { kind: 'key' } },
      {
        ...{ action: 'release.plan_suspended', actor: { kind: 'key' }, version: '1.0.0' },
        ...{ before: { status: 'running' }, after: { status: 'suspended', reason: 'changed' } },
      },
    ])
    time.now += 10 * DAY
    await runner.look()
    expect(await standing(server)).toMatchObject({ status: 'suspended', step: 1 })
  })

  test('that changes nothing does not', async () => {
    const { server } = await startPlanned()
    await publishPlanned(server, PLAN)
    await serve(server, '1.0.0', { rolloutPct: 10, status: 'published' })
    expect(await standing(server)).toMatchObject({ status: 'running' })
  })

  test('that is refused does not', async () => {
    const { server } = await startPlanned()
    await publishPlanned(server, PLAN)
    expect((await serve(server, '1.0.0', { targets: { matchLabels: { a: 'b' } } })).status).toBe(
      200,
    )
    await server.updates.setPlan(PRINCIPAL, { ...RELEASE, plan: PLAN })
    await setPolicy(server, { requireApproval: true })
    expect((await serve(server, '1.0.0', { rolloutPct: 30 })).status).toBe(403)
    expect(await standing(server)).toMatchObject({ status: 'running' })
  })

  test('that rolls the release back ends the plan', async () => {
    const { server } = await startPlanned()
    await publishPlanned(server, PLAN)
    await serve(server, '1.0.0', { status: 'rolled_back' })
    const ended = { status: 'stopped', reason: 'rolled_back', step: 1 }
    expect(await standing(server)).toMatchObject(ended)
    expect(await refusalOf(server.updates.resumePlan(PRINCIPAL, RELEASE))).toMatchObject({
      code: 'release_rolled_back',
    })
    expect(await refusalOf(server.updates.suspendPlan(PRINCIPAL, RELEASE))).toEqual({
      ...{ code: 'plan_ended', version: '1.0.0', status: 'stopped' },
    })
  })
})

describe('a plan that is resumed', () => {
  test('soaks for as long as it had left', async () => {
    const { server, time, runner } = await startPlanned()
    await publishPlanned(server, PLAN)
    time.now += 20 * HOUR
    await server.updates.suspendPlan(PRINCIPAL, RELEASE)
    time.now += 5 * DAY
    await server.updates.resumePlan(PRINCIPAL, RELEASE)
    const at = new Date(time.now + 4 * HOUR).toISOString()
    expect(await standing(server)).toMatchObject({ status: 'running', reason: null, next: { at } })
    time.now += 4 * HOUR
    await runner.look()
    expect(await standing(server)).toMatchObject({ step: 2, rolloutPct: 50 })
    expect((await auditOf(server)).map(({ action }) => action)).toEqual(
      expect.arrayContaining(['release.plan_suspended', 'release.plan_resumed']),
    )
  })

  test('goes on from where the release stands', async () => {
    const { server, time, runner } = await startPlanned()
    await publishPlanned(server, PLAN)
    await serve(server, '1.0.0', { rolloutPct: 60, targets: { matchLabels: {} } })
    await server.updates.resumePlan(PRINCIPAL, RELEASE)
    expect(await standing(server)).toMatchObject({ status: 'running', step: 2, rolloutPct: 60 })
    time.now += DAY
    await runner.look()
    expect(await standing(server)).toMatchObject({ step: 3, rolloutPct: 100 })
  })

  test('needs a release that is served', async () => {
    const { server } = await startPlanned()
    await publishPlanned(server, PLAN)
    await serve(server, '1.0.0', { status: 'paused' })
    expect(await refusalOf(server.updates.resumePlan(PRINCIPAL, RELEASE))).toEqual({
      ...{ code: 'plan_release_paused', version: '1.0.0' },
    })
    await serve(server, '1.0.0', { status: 'published' })
    expect(await server.updates.resumePlan(PRINCIPAL, RELEASE)).toMatchObject({ status: 'running' })
  })

  test('needs to be set again if the targets were changed at a ring', async () => {
    const { server } = await startPlanned()
    const rings = planOf([
      { ring: ['me'], soakHours: 1 },
      { rolloutPct: 100, soakHours: 1 },
    ])
    await publishPlanned(server, rings)
    await serve(server, '1.0.0', { targets: { matchLabels: { ring: ['me', 'beta'] } } })
    expect(await refusalOf(server.updates.resumePlan(PRINCIPAL, RELEASE))).toEqual({
      ...{ code: 'plan_targets_changed', version: '1.0.0' },
    })
  })
})

test('a plan that is set in place of one at a ring keeps the targets of the release', async () => {
  const { server, time, runner } = await startPlanned()
  const rings = planOf([
    { ring: ['me'], soakHours: 1 },
    { rolloutPct: 50, soakHours: 1 },
  ])
  await admitRings(server, 'me')
  await publishPlanned(server, rings)
  const wider = planOf([{ rolloutPct: 100, soakHours: 1 }])
  await server.updates.setPlan(PRINCIPAL, { ...RELEASE, plan: wider })
  expect(await standing(server)).toMatchObject({ rings: undefined, rolloutPct: 100, step: 1 })
  time.now += HOUR
  await runner.look()
  expect(await standing(server)).toMatchObject({ status: 'finished' })
})

test('a plan that runs already is not set anew', async () => {
  const { server, time } = await startPlanned()
  await publishPlanned(server, PLAN)
  const before = await auditOf(server)
  time.now += HOUR
  await server.updates.setPlan(PRINCIPAL, { ...RELEASE, plan: PLAN })
  expect(await auditOf(server)).toEqual(before)
})

test('a plan is removed, and the release stays as it is', async () => {
  const { server, time, runner } = await startPlanned()
  await publishPlanned(server, PLAN)
  const removed = await server.updates.removePlan(PRINCIPAL, RELEASE)
  expect(removed).toMatchObject({ status: 'running', step: 1 })
  time.now += 2 * DAY
  await runner.look()
  expect(await standing(server)).toMatchObject({ rolloutPct: 10 })
  expect((await server.updates.getPlan(PRINCIPAL, RELEASE)).plan).toBeNull()
  expect(await refusalOf(server.updates.removePlan(PRINCIPAL, RELEASE))).toEqual({
    ...{ code: 'unknown_plan', ...RELEASE },
  })
  expect((await auditOf(server)).at(-1)).toMatchObject({
    action: 'release.plan_removed',
    after: null,
  })
})

describe('on a channel that requires approval', () => {
  const BODY = PublishBody.parse(publishBody('1.0.0', { rolloutPct: 0 }))

  async function startGuarded() {
    const world = await startPlanned()
    await setPolicy(world.server, { requireApproval: true })
    await world.server.updates.publishRelease(ada, BODY)
    return world
  }

  test('a plan is approved as a whole, and its steps need no approval', async () => {
    const { server, time, runner } = await startGuarded()
    const { updates } = server
    expect(await refusalOf(updates.setPlan(ada, { ...RELEASE, plan: PLAN }))).toEqual({
      ...{ code: 'approval_required', ...RELEASE },
    })
    const change = { kind: 'plan', plan: PLAN } as const
    const id = await updates.proposeChange(ada, { ...RELEASE, change, comment: '' })
    expect(await updates.getChangeRequest(ben, { id })).toMatchObject({ change: { plan: PLAN } })
    await updates.applyChangeRequest(ben, { id, comment: '' })
    expect(await standing(server)).toMatchObject({ step: 1, rolloutPct: 10 })
    time.now += DAY
    await runner.look()
    expect(await standing(server)).toMatchObject({ step: 2, rolloutPct: 50 })
    expect(await auditOf(server, 'release.plan_set')).toMatchObject([
      { actor: { name: 'ben' }, after: { requestedBy: 'ada' } },
    ])
    // Another plan is another change.
    const plan = rolloutPlan([[100, 1]])
    expect(await refusalOf(updates.setPlan(ada, { ...RELEASE, plan }))).toMatchObject({
      code: 'approval_required',
    })
    await updates.suspendPlan(ada, RELEASE)
    await updates.resumePlan(ada, RELEASE)
    time.now += DAY
    await runner.look()
    expect(await standing(server)).toMatchObject({ step: 3, rolloutPct: 100 })
  })

  test('a release is published with a plan by a request or a key that bypasses approval', async () => {
    const { server } = await startGuarded()
    const {
      app: _a,
      channel: _c,
      version,
      ...content
    } = PublishBody.parse(publishBody('1.1.0', { plan: PLAN }))
    const place = { ...PLACE, version }
    expect(await refusalOf(server.updates.publishRelease(ada, { ...place, ...content }))).toEqual({
      ...{ code: 'approval_required', ...place },
    })
    const change = { kind: 'publish', ...content } as const
    const id = await server.updates.proposeChange(ada, { ...place, change, comment: '' })
    await server.updates.applyChangeRequest(ben, { id, comment: '' })
    expect((await server.updates.getPlan(PRINCIPAL, place)).plan).toMatchObject({ step: 1 })
    const bypassing = { ...PRINCIPAL, bypassesApproval: true }
    const other = { ...place, version: '1.2.0' }
    expect(await server.updates.publishRelease(bypassing, { ...other, ...content })).toMatchObject({
      rolloutPct: 10,
    })
  })

  test('a plan from before approval was required is suspended at its next step', async () => {
    const { server, time, runner } = await startPlanned()
    await publishPlanned(server, PLAN)
    await setPolicy(server, { requireApproval: true })
    time.now += DAY
    await runner.look()
    expect(await standing(server)).toMatchObject({
      ...{ status: 'suspended', reason: 'refused', step: 1, rolloutPct: 10 },
    })
    expect(await auditOf(server, 'release.plan_suspended')).toMatchObject([
      { actor: { kind: 'server' }, after: { refusal: 'approval_required' } },
    ])
    expect(await refusalOf(server.updates.resumePlan(ada, RELEASE))).toMatchObject({
      code: 'approval_required',
    })
  })
})

test('a step and a change by hand at the same time: whichever is first counts', async () => {
  for (let round = 0; round < 5; round++) {
    const { server, time, runner } = await startPlanned()
    await publishPlanned(server, PLAN)
    const { runner: other } = runnerOf(server)
    time.now += DAY
    const channel = server.catalog.snapshot.appByName.get('editor')?.channels.get('stable')
    if (channel === undefined) throw new Error('no channel')
    await Promise.all([
      runner.look(),
      changeServing(server.catalog, ACTOR, channel, '1.0.0', { status: 'paused' }),
      other.look(),
    ])
    const applied = await auditOf(server, 'release.plan_step_applied')
    const { step, status } = await standing(server)
    expect(status).toBe('suspended')
    expect(applied).toHaveLength(step ?? 0)
    expect(step).toBeLessThanOrEqual(2)
  }
})
