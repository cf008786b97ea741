import { expect, test } from 'vitest'
import { SoleLeaderFacts } from '../../../../src/server/storage/sqlite/engine/sqlite-storage.ts'
import { FailureWatch } from '../../../../src/server/use-cases/plans/failure-watch.ts'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import { rolloutPlan } from '../../../support/builders/plans.ts'
import { DAY, HOUR } from '../../../support/builders/time.ts'
import { publish } from '../../../support/servers/calls.ts'
import { NO_CONTROLS, PLACE, START } from '../../../support/servers/planned.ts'
import { startWithApp } from '../../../support/servers/server.ts'

const DEVICES = 200

/** A server whose devices all stay on 1.0.0, whatever they are offered. */
async function startStuck(members: Readonly<Record<string, unknown>>) {
  const facts = new SoleLeaderFacts()
  const time = { now: START }
  const config = { plans: { lookEvery: 2 ** 31 - 1 } }
  const server = await startWithApp(config, undefined, { clock: () => time.now })
  const { catalog, fleet, updates } = server
  const release = await publish(server, '2.0.0', members)
  const devices = Array.from({ length: DEVICES }, (_, device) => ({
    ...{ deviceId: `device-${device}`, version: '1.0.0', platform: 'darwin', arch: 'aarch64' },
    labels: {},
  }))
  const checkAll = () => updates.planWave(PRINCIPAL, { ...PLACE, devices, dryRun: false })
  for (let check = 0; check < 4; check += 1) {
    await checkAll()
    time.now += 12 * HOUR
  }
  await checkAll()
  const watchOf = () =>
    new FailureWatch({
      ...{ catalog, fleet, facts, controls: NO_CONTROLS },
      onFailure: (error) => {
        throw error
      },
    })
  return { time, watch: watchOf(), watchOf, release, checkAll }
}

test('a release that fails without a plan is found, for as long as it fails', async () => {
  const { time, watch, release, checkAll } = await startStuck({})
  await watch.look()
  expect(await watch.failing()).toMatchObject([
    {
      ...{ releaseId: release.id, health: { offered: DEVICES, stuck: DEVICES } },
      reasons: [{ code: 'too_many_failures', failed: DEVICES, judged: DEVICES, limitPct: 3 }],
    },
  ])
  time.now += 30 * DAY
  await checkAll()
  await watch.look()
  expect(await watch.failing()).toEqual([])
})

test('one with a running plan is left to it', async () => {
  const { watch } = await startStuck({ plan: rolloutPlan([[100, 200]]) })
  await watch.look()
  expect(await watch.failing()).toEqual([])
})

test('all servers show what the one that leads has found', async () => {
  const { watch, watchOf, release } = await startStuck({})
  await watch.look()
  for (const server of [watch, watchOf()]) {
    expect(await server.failing()).toMatchObject([{ releaseId: release.id }])
  }
})
