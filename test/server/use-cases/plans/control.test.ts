import { expect, test } from 'vitest'
import { member } from '../../../../src/server/outbound/outbox/event.ts'
import { cohortBucket } from '../../../../src/server/rules/decision/cohort.ts'
import { showHealth } from '../../../../src/server/use-cases/releases/release-health.ts'
import { HoldoutResult } from '../../../../src/shared/health/judgement.ts'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import { rolloutPlan } from '../../../support/builders/plans.ts'
import { DAY, HOUR } from '../../../support/builders/time.ts'
import { auditOf, publish, setPolicy } from '../../../support/servers/calls.ts'
import { judgingRunner, PLACE, standing, startPlanned } from '../../../support/servers/planned.ts'

const DEVICES = Array.from({ length: 400 }, (_, index) => `device-${index}`)

/** A fleet that is known for three days, and a release that is offered to some of it. */
async function startKnown(plan: ReturnType<typeof rolloutPlan>, deviceIds: readonly string[] = []) {
  const { server, time } = await startPlanned()
  const { runner, controls, failures } = judgingRunner(server)
  const versions = new Map(DEVICES.map((device) => [device, '0.8.0']))
  /** The devices check in, and install what they are offered if they check again. */
  const check = async (devices: readonly string[]) => {
    const input = devices.map((deviceId) => ({
      ...{ deviceId, version: versions.get(deviceId) ?? '', platform: 'darwin', arch: 'aarch64' },
      labels: {},
    }))
    const asked = { ...PLACE, devices: input, dryRun: false }
    const { planned } = await server.updates.planWave(PRINCIPAL, asked)
    for (const [index, { decision }] of planned.entries()) {
      const version = decision.release?.facts.version
      if (version !== undefined) versions.set(devices[index] ?? '', version)
    }
  }
  await publish(server, '0.9.0')
  await setPolicy(server, { earlyAccess: { deviceIds: [...deviceIds], targets: [] } })
  for (let day = 0; day < 3; day += 1) {
    await check(DEVICES)
    time.now += DAY
  }
  const { id } = await publish(server, '1.0.0', { plan })
  await check(DEVICES)
  const [first] = plan.steps
  const pct = first && 'rolloutPct' in first ? first.rolloutPct : 0
  const isOffered = (device: string) => cohortBucket(id, device) < pct / 100
  /** Hours pass in which these devices check in, and the plan is looked at. */
  const pass = async (hours: number, devices: readonly string[]) => {
    for (let hour = 0; hour < hours; hour += 1) {
      time.now += HOUR
      // Hours without any check-in do not count.
      await check(hour % 12 === 0 ? devices : devices.slice(0, 1))
      if (hour % 12 === 11) await runner.look()
    }
    expect(failures).toEqual([])
  }
  return { server, time, runner, controls, failures, check, pass, isOffered }
}

const HALF = rolloutPlan([
  [50, 400],
  [100, 1],
])
/** Machines that are on at all times: the others are left alone after the first check. */
const isOn = (_: string, index: number) => index % 4 === 0

test('a holiday stops no plan', async () => {
  const { server, controls, pass } = await startKnown(HALF)
  await pass(7 * 24, DEVICES.filter(isOn))
  const standing = () => server.updates.getPlan(PRINCIPAL, { ...PLACE, version: '1.0.0' })
  expect((await standing()).plan).toMatchObject({ status: 'running', step: 1, stopReasons: null })
  const parts = { ...server, controlOf: (releaseId: string) => controls.lastOf(releaseId) }
  const shown = await showHealth(parts, PRINCIPAL, { ...PLACE, version: '1.0.0' })
  expect(shown.health.silent).toBeGreaterThan(100)
  // The page has the control. Chance decides who is in it, and which failures show most beside it.
  expect(shown.verdict.control?.judged).toBeGreaterThan(150)
  // When they are back, nothing waits.
  await pass(24, DEVICES)
  expect((await standing()).plan).toMatchObject({ status: 'running', openPct: null })
})

test('the same silence of devices that were offered the release stops it', async () => {
  const { server, pass, isOffered } = await startKnown(HALF)
  const others = DEVICES.filter((device, index) => isOn(device, index) || !isOffered(device))
  await pass(7 * 24, others)
  const { plan } = await server.updates.getPlan(PRINCIPAL, { ...PLACE, version: '1.0.0' })
  expect(plan).toMatchObject({
    ...{ status: 'stopped', reason: 'failures' },
    stopReasons: [{ code: 'too_many_failures', control: { failed: 0, lowPct: 0 } }],
  })
})

test('devices that get it early are in no comparison: their silence is not that of others', async () => {
  const testers = DEVICES.slice(0, 60)
  const { server, controls, pass } = await startKnown(
    rolloutPlan([
      [25, 400],
      [100, 1],
    ]),
    testers,
  )
  await pass(7 * 24, DEVICES.slice(60))
  const { plan, health } = await server.updates.getPlan(PRINCIPAL, { ...PLACE, version: '1.0.0' })
  expect(plan).toMatchObject({ stopReasons: null })
  expect(health.silent).toBe(60)
  const [channel] = server.catalog.snapshot.channelByKey.values()
  const [, release] = channel?.compiled.releases ?? []
  if (channel === undefined || release === undefined) throw new Error('not published')
  const offeredAt = server.catalog.now() - 7 * DAY
  const { offered, control } = await controls.arms(channel, { ...release.facts, offeredAt })
  expect([offered.silent, offered.devices + control.devices]).toEqual([0, 340])
})

test('a holdout ends with a comparison, which is in the event', async () => {
  const plan = rolloutPlan([[100, 1]], { holdoutPct: 5 })
  const { server, time, runner, pass } = await startKnown(plan)
  expect(await standing(server)).toMatchObject({ step: 1, rolloutPct: 95 })
  const { catalog } = server
  const [before, now] = [...catalog.snapshot.channelByKey.values()][0]?.compiled.releases ?? []
  const sessions = { network: 1, started: 1_000, errored: 0, abnormal: 0 }
  const crashes = [
    { ...sessions, releaseId: now?.facts.id ?? '', healthy: 950, crashed: 50 },
    { ...sessions, releaseId: before?.facts.id ?? '', healthy: 998, crashed: 2 },
  ]
  await catalog.store.addSessions({ networks: crashes, registers: [] })
  await pass(12, DEVICES)
  time.now += 14 * DAY
  await pass(2, DEVICES)
  await runner.look()
  expect(await standing(server)).toMatchObject({ status: 'finished', rolloutPct: 100 })
  const [, applied] = await auditOf(server, 'release.plan_step_applied')
  expect(applied?.after).toMatchObject({
    ...{ step: 2, releasedPct: 5 },
    holdout: {
      silent: { offered: { failed: 0 }, heldBack: { failed: 0 }, isWorse: false },
      reverted: { isWorse: false },
      crashed: { offered: { failed: 50, judged: 1_000 }, heldBack: { failed: 2 }, isWorse: true },
    },
  })
  const { silent } = HoldoutResult.parse(member(applied?.after, 'holdout'))
  expect(silent.offered.judged + silent.heldBack.judged).toBe(DEVICES.length)
})
