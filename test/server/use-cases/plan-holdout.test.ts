import { expect, test } from 'vitest'
import { Plan } from '../../../src/shared/plans/plan.ts'
import { PRINCIPAL } from '../../support/builders/actor.ts'
import { freeze, rolloutPlan } from '../../support/builders/plans.ts'
import { DAY } from '../../support/builders/time.ts'
import { auditOf, check, publish, serve } from '../../support/servers/calls.ts'
import { callerOf } from '../../support/servers/console.ts'
import {
  PLACE,
  publishPlanned,
  START,
  standing,
  startPlanned,
} from '../../support/servers/planned.ts'
import type { TestServer } from '../../support/servers/server.ts'

const iso = (time: number) => new Date(time).toISOString()
const STEPS: Parameters<typeof rolloutPlan>[0] = [
  [50, 24],
  [100, 2],
]
const HELD = rolloutPlan(STEPS, { holdoutPct: 5 })
const DEVICES = Array.from({ length: 200 }, (_, index) => `device-${index}`)

/** A release that reaches everyone but the devices that are held back, since the time of the server. */
async function startHeld() {
  const started = await startPlanned()
  const { server, time, runner } = started
  await publish(server, '0.9.0')
  await publishPlanned(server, HELD)
  time.now += DAY
  await runner.look()
  expect(await standing(server)).toMatchObject({ step: 2, rolloutPct: 95, status: 'running' })
  return started
}

/** The devices that are offered a version, of those that run 0.9.0. */
async function offered(server: TestServer, version: string): Promise<string[]> {
  const found: string[] = []
  for (const device of DEVICES) {
    const { body } = await check(server, '0.9.0', { device })
    if (body?.version === version) found.push(device)
  }
  return found
}

const explain = async (server: TestServer, deviceId: string) => {
  const assumed = { version: '0.9.0', platform: 'darwin', arch: 'aarch64' }
  const found = await server.updates.explainDevice(PRINCIPAL, { ...PLACE, deviceId, assumed })
  return 'explained' in found ? found.explained.notes : found
}

test('the last devices of the rollout are held back for 14 days, and then released with the result', async () => {
  const { server, time, runner, seen } = await startHeld()
  const [since, until] = [time.now, time.now + 14 * DAY]
  const before = await offered(server, '1.0.0')
  expect(before.length).toBeGreaterThan(150)
  const [held = ''] = DEVICES.filter((device) => !before.includes(device))
  expect(await explain(server, held)).toContainEqual({
    ...{ code: 'held_back', version: '1.0.0', percent: 5, until: iso(until) },
  })
  expect(await explain(server, before[0] ?? '')).toEqual([])
  expect((await standing(server)).next).toEqual({ waitsFor: 'soak', at: iso(until) })
  const calendar = await callerOf(server).plans.calendar()
  expect(calendar.plans[0]?.forecast?.steps).toMatchObject([{ step: 2, rolloutPct: 100 }])

  time.now = until - 1
  await runner.look()
  expect(await standing(server)).toMatchObject({ step: 2, rolloutPct: 95, appliedAt: iso(since) })
  seen.health = { ...seen.health, offered: 190, adopted: 188, silent: 2 }
  time.now += 1
  await runner.look()
  expect(await standing(server)).toMatchObject({ step: 3, rolloutPct: 100, status: 'finished' })
  expect(await offered(server, '1.0.0')).toEqual(DEVICES)
  expect(await auditOf(server, 'release.plan_step_applied')).toMatchObject([
    { after: { step: 1, of: 3, rolloutPct: 50 } },
    { after: { step: 2, of: 3, rolloutPct: 95, heldBackPct: 5 } },
    { after: { step: 3, of: 3, releasedPct: 5, rolloutPct: 100, health: { silent: 2 } } },
  ])
})

test('a freeze, a suspicion and a pause keep them, and a pause does not count', async () => {
  const { server, time, runner, seen } = await startHeld()
  const until = time.now + 14 * DAY
  const days = [iso(until).slice(0, 10), iso(until + DAY).slice(0, 10)] as const
  await server.updates.setFreezes(PRINCIPAL, { app: 'editor', freezes: [freeze(...days)] })
  time.now = until
  await runner.look()
  expect(await standing(server)).toMatchObject({ rolloutPct: 95, next: { waitsFor: 'freeze' } })
  await server.updates.setFreezes(PRINCIPAL, { app: 'editor', freezes: [] })
  seen.verdict = 'suspected'
  await runner.look()
  expect(await standing(server)).toMatchObject({ rolloutPct: 95, status: 'running' })
  seen.verdict = 'fine'

  time.now = until - 4 * DAY
  await serve(server, '1.0.0', { status: 'paused' })
  expect(await standing(server)).toMatchObject({ status: 'suspended', reason: 'changed' })
  time.now += 30 * DAY
  await serve(server, '1.0.0', { status: 'published' })
  await server.updates.resumePlan(PRINCIPAL, { ...PLACE, version: '1.0.0' })
  expect((await standing(server)).next).toEqual({ waitsFor: 'soak', at: iso(time.now + 4 * DAY) })
  time.now += 4 * DAY
  await runner.look()
  expect(await standing(server)).toMatchObject({ rolloutPct: 100, status: 'finished' })
})

test('a rollback ends it', async () => {
  const { server, time, runner } = await startHeld()
  await serve(server, '1.0.0', { status: 'rolled_back' })
  time.now += 30 * DAY
  await runner.look()
  expect(await standing(server)).toMatchObject({ status: 'stopped', rolloutPct: 95 })
  expect(await offered(server, '1.0.0')).toEqual([])
})

test('a person ends it by raising the rollout', async () => {
  const { server } = await startHeld()
  await serve(server, '1.0.0', { rolloutPct: 100 })
  expect(await standing(server)).toMatchObject({ status: 'suspended', reason: 'changed' })
  expect(await offered(server, '1.0.0')).toEqual(DEVICES)
  expect(await explain(server, DEVICES[0] ?? '')).toEqual([])
})

test('a newer release reaches them as it reaches any other device, and they are still released', async () => {
  const { server, time, runner } = await startHeld()
  const reached = await offered(server, '1.0.0')
  await publish(server, '1.1.0')
  expect(await offered(server, '1.1.0')).toEqual(DEVICES)
  await serve(server, '1.1.0', { status: 'rolled_back' })
  expect(await offered(server, '1.0.0')).toEqual(reached)
  time.now = START + 15 * DAY
  await runner.look()
  expect(await standing(server)).toMatchObject({ rolloutPct: 100, status: 'finished' })
})

test.each([
  [{ steps: [[50, 1]], holdoutPct: 1 }, 'needs a last step at 100%'],
  [
    {
      steps: [
        [99, 1],
        [100, 1],
      ],
      holdoutPct: 1,
    },
    'must leave more than the step before the last',
  ],
  [{ steps: [[100, 1]], holdoutPct: 6 }, 'must be a whole number from 1 to 5'],
])('%j is refused: %s', (plan, message) => {
  const steps = plan.steps.map(([rolloutPct, soakHours]) => ({ rolloutPct, soakHours }))
  const read = Plan.safeParse({ ...plan, steps })
  expect(read.error?.issues).toMatchObject([{ path: ['holdoutPct'], message }])
})
