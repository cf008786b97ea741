import { describe, expect, test } from 'vitest'
import { recordProof } from '../../../src/server/catalog/releases/record-proof.ts'
import { PRINCIPAL } from '../../support/builders/actor.ts'
import { freeze, planOf, rolloutPlan } from '../../support/builders/plans.ts'
import { DAY, HOUR } from '../../support/builders/time.ts'
import { auditOf, check, serve, setPolicy } from '../../support/servers/calls.ts'
import {
  admitRings,
  publishPlanned,
  RELEASE,
  START,
  standing,
  startPlanned,
} from '../../support/servers/planned.ts'

const iso = (time: number) => new Date(time).toISOString()
const MANAGER = { ...PRINCIPAL, seesArchived: true }
const THREE = rolloutPlan([
  [10, 24],
  [50, 24],
  [100, 2],
])

test('a release is published with the first step, and ramped until its plan is finished', async () => {
  const { server, time, runner, seen } = await startPlanned()
  expect(await publishPlanned(server, THREE)).toMatchObject({ rolloutPct: 10 })
  expect(await standing(server)).toMatchObject({
    ...{ status: 'running', step: 1, appliedAt: iso(START), rolloutPct: 10 },
    next: { waitsFor: 'soak', at: iso(START + DAY) },
  })
  time.now += DAY - 1
  expect(await runner.look()).toBe(START + DAY)
  expect(await standing(server)).toMatchObject({ step: 1, rolloutPct: 10 })
  seen.health = { ...seen.health, offered: 12, adopted: 11, stuck: 1 }
  time.now += 1
  await runner.look()
  expect(await standing(server)).toMatchObject({ step: 2, rolloutPct: 50 })
  time.now += DAY
  await runner.look()
  expect(await standing(server)).toMatchObject({ step: 3, rolloutPct: 100, status: 'running' })
  time.now += 2 * HOUR
  await runner.look()
  expect(await standing(server)).toMatchObject({ status: 'finished', step: 3, next: null })
  expect(await auditOf(server, 'release.plan_step_applied')).toMatchObject([
    { actor: { kind: 'server' }, version: '1.0.0', after: { step: 1, of: 3, rolloutPct: 10 } },
    {
      before: { step: 1 },
      after: {
        ...{ step: 2, rolloutPct: 50, health: { offered: 12, adopted: 11, stuck: 1 } },
        ...{ adoptedPct: (11 / 12) * 100, sample: 12, gate: {} },
      },
    },
    { after: { step: 3, rolloutPct: 100 } },
  ])
  expect(await auditOf(server, 'release.plan_finished')).toHaveLength(1)
  expect(seen.failures).toEqual([])
})

test('after a downtime one step is applied, and the next one soaks from then on', async () => {
  const { server, time, runner } = await startPlanned()
  await publishPlanned(server, THREE)
  time.now += 30 * DAY
  await runner.look()
  await runner.look()
  expect(await standing(server)).toMatchObject({
    step: 2,
    rolloutPct: 50,
    appliedAt: iso(time.now),
  })
  time.now += DAY
  await runner.look()
  expect(await standing(server)).toMatchObject({ step: 3, rolloutPct: 100 })
})

test('a clock that was ahead delays a step by its soak time at the most', async () => {
  const { server, time, runner } = await startPlanned()
  await publishPlanned(server, THREE)
  time.now -= 300 * DAY
  await runner.look()
  expect(await standing(server)).toMatchObject({ step: 1, next: { at: iso(time.now + DAY) } })
  time.now += DAY
  await runner.look()
  expect(await standing(server)).toMatchObject({ step: 2 })
})

test('a gate is asked for what became of the devices', async () => {
  const { server, time, runner, seen } = await startPlanned()
  const gate = { minAdoptedPct: 50, minSample: 10 }
  await publishPlanned(
    server,
    planOf([
      { rolloutPct: 10, soakHours: 1, gate },
      { rolloutPct: 100, soakHours: 1 },
    ]),
  )
  time.now += HOUR
  await runner.look()
  expect(await standing(server)).toMatchObject({ step: 1, next: { waitsFor: 'gate', at: null } })
  seen.health = { ...seen.health, offered: 20, adopted: 10, waiting: 10 }
  await runner.look()
  expect(await standing(server)).toMatchObject({ step: 2 })
})

test('outside of windows and in freezes the first step waits as well', async () => {
  const { server, time, runner } = await startPlanned()
  const windows = [{ days: ['fri' as const, 'sat' as const], from: '09:00', to: '11:00' }]
  await server.updates.setFreezes(PRINCIPAL, {
    ...{ app: 'editor', freezes: [freeze('2026-11-21', '2026-11-27')], seen: [] },
  })
  time.now += HOUR
  expect(await publishPlanned(server, { ...THREE, windows })).toMatchObject({ rolloutPct: 0 })
  const at = '2026-11-28T09:00:00.000Z'
  expect(await standing(server)).toMatchObject({ step: 0, next: { waitsFor: 'window', at } })
  time.now = Date.parse(at) - 1
  await runner.look()
  expect(await standing(server)).toMatchObject({ step: 0, next: { waitsFor: 'window', at } })
  time.now += 1
  await server.updates.setFreezes(PRINCIPAL, {
    ...{ app: 'editor', freezes: [freeze('2026-11-28', '2026-11-28')] },
  })
  await runner.look()
  expect(await standing(server)).toMatchObject({ step: 0, next: { waitsFor: 'freeze' } })
  await server.updates.setFreezes(PRINCIPAL, { app: 'editor', freezes: [] })
  await runner.look()
  expect(await standing(server)).toMatchObject({ step: 1, rolloutPct: 10 })
  expect(await auditOf(server, 'app.freezes_changed')).toHaveLength(3)
})

describe('rings', () => {
  const plan = planOf([
    { ring: ['me'], soakHours: 1 },
    { ring: ['testers', 'friends'], soakHours: 1 },
    { rolloutPct: 20, soakHours: 1 },
    { rolloutPct: 100, soakHours: 1 },
  ])

  test('narrow the targets of the release, which percentages restore', async () => {
    const { server, time, runner } = await startPlanned()
    await admitRings(server, 'me', 'testers', 'friends')
    await publishPlanned(server, plan, { targets: { matchLabels: { region: 'eu' } } })
    const targetsOf = async () => (await server.updates.getRelease(PRINCIPAL, RELEASE)).targets
    expect(await standing(server)).toMatchObject({ rolloutPct: 20, rings: ['me'] })
    for (const rings of [['me', 'testers', 'friends'], undefined]) {
      time.now += HOUR
      await runner.look()
      expect(await standing(server)).toMatchObject({ rolloutPct: 20, rings })
    }
    expect(await targetsOf()).toEqual({ matchLabels: { region: 'eu' }, matchExpressions: [] })
    time.now += HOUR
    await runner.look()
    expect(await standing(server)).toMatchObject({ rolloutPct: 100, step: 4 })
  })

  test('need early access below 100%', async () => {
    const { server } = await startPlanned()
    await admitRings(server, 'me', 'testers')
    const { status, body } = await server.call('POST', '/api/v1/releases', {
      body: { ...RELEASE, plan },
    })
    expect([status, body.error]).toEqual([
      422,
      'plan.steps.1.ring: the ring "friends" would be in the rollout of 20% only in part; add ring=friends to the early access of editor/stable',
    ])
    expect((await server.catalog.refresh()).channelByKey.get(1)?.compiled.releases).toEqual([])
    await admitRings(server, 'friends', 'me', 'testers')
    await publishPlanned(server, plan)
  })

  test('are offered the release, and nobody else is', async () => {
    const { server } = await startPlanned()
    await admitRings(server, 'me', 'testers', 'friends')
    await publishPlanned(server, plan)
    const statusOf = async (device: string, ring: string) =>
      (await check(server, '0.9.0', { device, query: `?l.ring=${ring}` })).status
    const devices = Array.from({ length: 20 }, (_, index) => `device-${index}`)
    for (const device of devices) expect(await statusOf(device, 'me')).toBe(200)
    for (const device of devices) expect(await statusOf(`${device}-x`, 'testers')).toBe(204)
  })

  test('must be targeted by the release, and are not for one that is served already', async () => {
    const { server } = await startPlanned()
    const targets = { matchLabels: { ring: ['me', 'testers'] } }
    const call = await server.call('POST', '/api/v1/releases', {
      body: { ...RELEASE, plan, targets },
    })
    expect([call.status, call.body.error]).toEqual([
      400,
      'plan.steps.1.ring: the targets of the release do not include the ring "friends"',
    ])
    await publishPlanned(server, THREE)
    await expect(server.updates.setPlan(PRINCIPAL, { ...RELEASE, plan })).rejects.toMatchObject({
      facts: { code: 'plan_narrows', path: ['plan', 'steps', '0', 'ring'] },
    })
  })
})

describe('on a channel that requires proof', () => {
  async function startUnproven() {
    const world = await startPlanned()
    await setPolicy(world.server, { proving: 'required' })
    expect(await publishPlanned(world.server, THREE)).toMatchObject({ status: 'paused' })
    const next = { waitsFor: 'proof', at: null }
    expect(await standing(world.server)).toMatchObject({ status: 'running', step: 0, next })
    await world.runner.look()
    expect(await standing(world.server)).toMatchObject({ step: 0, rolloutPct: 0 })
    const channel = world.server.catalog.snapshot.channelByKey.get(1)
    if (channel === undefined) throw new Error('there is no channel')
    const outcome = { position: 0, at: world.time.now, failure: null, signature: null }
    const prove = () => recordProof(world.server.catalog, channel, '1.0.0', outcome)
    return { ...world, prove }
  }

  test('a plan begins once the release is proven', async () => {
    const { server, runner, prove } = await startUnproven()
    await prove()
    expect(await standing(server)).toMatchObject({ status: 'running', next: { waitsFor: null } })
    await runner.look()
    expect(await standing(server)).toMatchObject({ status: 'running', step: 1, rolloutPct: 10 })
  })

  test('a plan is suspended when somebody decides on the status meanwhile', async () => {
    const { server, runner, prove } = await startUnproven()
    await serve(server, '1.0.0', { status: 'paused' })
    await prove()
    await runner.look()
    expect(await standing(server)).toMatchObject({ status: 'suspended', step: 0, rolloutPct: 0 })
  })
})

test('plans of an archived app wait until it is restored', async () => {
  const { server, time, runner, seen } = await startPlanned()
  await publishPlanned(server, THREE)
  await server.updates.setAppArchived(PRINCIPAL, { app: 'editor', archived: true })
  time.now += DAY
  await runner.look()
  expect(await server.catalog.store.plans(['running'])).toMatchObject([{ step: 1 }])
  await server.updates.setAppArchived(MANAGER, { app: 'editor', archived: false })
  await runner.look()
  expect(await standing(server)).toMatchObject({ step: 2 })
  expect(seen.failures).toEqual([])
})

test('steps that a release is past are left out of a plan that is set later', async () => {
  const { server, time, runner } = await startPlanned()
  await publishPlanned(server, THREE)
  await serve(server, '1.0.0', { rolloutPct: 60 })
  const state = await server.updates.setPlan(PRINCIPAL, { ...RELEASE, plan: THREE })
  expect(state).toMatchObject({ status: 'running', step: 2, next: { waitsFor: 'soak' } })
  await serve(server, '1.0.0', { rolloutPct: 100 })
  await expect(
    server.updates.setPlan(PRINCIPAL, { ...RELEASE, plan: THREE }),
  ).rejects.toMatchObject({
    facts: { code: 'plan_done' },
  })
  time.now += 3 * DAY
  await runner.look()
  expect(await standing(server)).toMatchObject({ status: 'suspended', step: 2 })
})
