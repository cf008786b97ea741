import { describe, expect, test } from 'vitest'
import { cohortBucket } from '../../../../src/server/rules/decision/cohort.ts'
import { parseVersion } from '../../../../src/server/rules/decision/version.ts'
import { heldOffers } from '../../../../src/server/rules/plans/step-serving.ts'
import { explainDecision } from '../../../../src/server/use-cases/fleet/explanation.ts'
import { NO_HEALTH, type ReleaseHealth } from '../../../../src/shared/health/health.ts'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import { rolloutPlan } from '../../../support/builders/plans.ts'
import { HOUR } from '../../../support/builders/time.ts'
import { auditOf, serve, shown } from '../../../support/servers/calls.ts'
import {
  judgeOn,
  publishPlanned,
  RELEASE,
  standing,
  startPlanned,
} from '../../../support/servers/planned.ts'
import type { TestServer } from '../../../support/servers/server.ts'

const PLAN = rolloutPlan([
  [20, 4],
  [80, 48],
  [100, 2],
])
const FINE = { ...NO_HEALTH, offered: 500, adopted: 500 }
/** More failures than the limit, and not so many that it cannot be chance. */
const SUSPECT = { ...NO_HEALTH, offered: 500, adopted: 475, reported: 25 }

/** A release at the second step of its plan, and what judges it. */
async function startSecondStep() {
  const { server, time } = await startPlanned()
  await publishPlanned(server, PLAN)
  const seen = { health: FINE as ReleaseHealth }
  const { runner } = judgeOn(server, seen)
  time.now += 4 * HOUR
  await runner.look()
  expect(await standing(server)).toMatchObject({ step: 2, rolloutPct: 80, openPct: null })
  const { id } = await shown(server, '1.0.0')
  return { server, time, seen, runner, id }
}

/** Returns the first device whose bucket is between two shares (0 to 1). */
function deviceIn(id: string, from: number, to: number): string {
  for (let number = 0; ; number += 1) {
    const bucket = cohortBucket(id, `device-${number}`)
    if (bucket >= from && bucket < to) return `device-${number}`
  }
}

async function isOffered(server: TestServer, device: string): Promise<boolean> {
  const headers = { 'x-service-device': device }
  const path = '/u/editor/stable/darwin/aarch64/0.9.0'
  return (await server.call('GET', path, { key: null, headers })).status === 200
}

function explained({ catalog }: TestServer, deviceId: string) {
  const channel = catalog.snapshot.appByName.get('editor')?.channels.get('stable')
  if (channel === undefined) throw new Error('no channel')
  const device = { deviceId, platform: 'darwin', arch: 'aarch64', bundle: '', labels: {} }
  return explainDecision(channel, { ...device, version: parseVersion('0.9.0'), manual: false })
}

test('new offers wait while a release is suspected, a few go on, and all do when it has passed', async () => {
  const { server, time, seen, runner, id } = await startSecondStep()
  const first = deviceIn(id, 0.1, 0.2)
  const [early, late] = [deviceIn(id, 0.25, 0.35), deviceIn(id, 0.6, 0.8)]
  const offered = async () => [
    await isOffered(server, first),
    await isOffered(server, early),
    await isOffered(server, late),
  ]
  expect(await offered()).toEqual([true, true, true])

  seen.health = SUSPECT
  await runner.look()
  expect(await standing(server)).toMatchObject({ status: 'running', step: 2, openPct: 20 })
  expect(await offered()).toEqual([true, false, false])
  const { reason, candidates } = explained(server, late)
  expect(reason).toBe('outside_cohort')
  expect(candidates).toMatchObject([{ rollout: { percent: 80, waits: true } }])

  time.now += 72 * HOUR
  await runner.look()
  expect(await offered()).toEqual([true, false, false])

  time.now += 84 * HOUR
  await runner.look()
  expect(await standing(server)).toMatchObject({ step: 2, openPct: 50 })
  expect(await offered()).toEqual([true, true, false])

  seen.health = FINE
  await runner.look()
  expect(await standing(server)).toMatchObject({ step: 3, rolloutPct: 100, openPct: null })
  expect(await offered()).toEqual([true, true, true])
  expect(await auditOf(server, 'release.offers_held')).toMatchObject([
    { actor: { kind: 'server' }, version: '1.0.0', after: { openPct: 20 } },
  ])
  expect(await auditOf(server, 'release.offers_resumed')).toMatchObject([
    { before: { openPct: 50 }, after: { openPct: null } },
  ])
})

describe('a person', () => {
  test.each([
    ['raises the rollout', (server: TestServer) => serve(server, '1.0.0', { rolloutPct: 90 })],
    ['suspends the plan', ({ updates }: TestServer) => updates.suspendPlan(PRINCIPAL, RELEASE)],
    ['removes the plan', ({ updates }: TestServer) => updates.removePlan(PRINCIPAL, RELEASE)],
  ])('%s, and all of its devices are offered it', async (_, decide) => {
    const { server, seen, runner, id } = await startSecondStep()
    const late = deviceIn(id, 0.6, 0.8)
    seen.health = SUSPECT
    await runner.look()
    expect(await isOffered(server, late)).toBe(false)
    await decide(server)
    expect(await isOffered(server, late)).toBe(true)
  })
})

test('nobody new is offered the release for three days, and all of the step a week later', () => {
  expect(heldOffers(20, 80, 0, 72 * HOUR)).toBe(20)
  expect(heldOffers(20, 80, 0, 156 * HOUR)).toBe(50)
  expect(heldOffers(20, 80, 0, 239 * HOUR)).toBeLessThan(80)
  expect(heldOffers(20, 80, 0, 240 * HOUR)).toBeNull()
})
