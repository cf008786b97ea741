import { expect, test } from 'vitest'
import { PRINCIPAL } from '../../support/builders/actor.ts'
import { rolloutPlan } from '../../support/builders/plans.ts'
import { HOUR } from '../../support/builders/time.ts'
import { publish, shown } from '../../support/servers/calls.ts'
import { callerOf } from '../../support/servers/console.ts'
import { judgingRunner, PLACE, START } from '../../support/servers/planned.ts'
import { startServer, startWithApp, type TestServer } from '../../support/servers/server.ts'

const DEVICES = 5_000
/** Devices of one call. */
const BATCH = 1_000
/** Between two checks of a device. */
const INTERVAL = 8 * HOUR
const PLAN = rolloutPlan([
  [10, 48],
  [50, 24],
  [100, 24],
])

interface World {
  server: TestServer
  readonly time: { now: number }
  /** By device. */
  readonly versions: string[]
}

/** Every device checks, and installs what it is offered, except those that a release is broken for. */
async function checkAll({ server, versions }: World, isBroken: (device: number) => boolean) {
  for (let first = 0; first < DEVICES; first += BATCH) {
    const devices = versions.slice(first, first + BATCH).map((version, index) => ({
      ...{ deviceId: `device-${first + index}`, version, platform: 'darwin', arch: 'aarch64' },
      labels: {},
    }))
    const input = { ...PLACE, devices, dryRun: false }
    const { planned } = await server.updates.planWave(PRINCIPAL, input)
    for (const [index, { decision }] of planned.entries()) {
      const offered = decision.release?.facts.version
      if (offered !== undefined && !isBroken(first + index)) versions[first + index] = offered
    }
  }
}

const CONFIG = { plans: { lookEvery: 2 ** 31 - 1 } }

test('a good release reaches all devices across restarts, a bad one is stopped in its first soak', async () => {
  const time = { now: START }
  const clock = { clock: () => time.now }
  const server = await startWithApp(CONFIG, undefined, clock)
  const world: World = { server, time, versions: new Array<string>(DEVICES).fill('1.0.0') }
  const planOf = async (version: string) =>
    (await world.server.updates.getPlan(PRINCIPAL, { ...PLACE, version })).plan
  await checkAll(world, () => false)

  await publish(server, '2.0.0', { plan: PLAN })
  const steps: (number | undefined)[] = []
  for (let step = 0; (await planOf('2.0.0'))?.status === 'running'; ) {
    await checkAll(world, () => false)
    time.now += INTERVAL
    const { runner, failures } = judgingRunner(world.server)
    await runner.look()
    expect(failures).toEqual([])
    const plan = await planOf('2.0.0')
    if (plan?.step !== step && plan?.status === 'running') {
      step = plan?.step ?? 0
      steps.push(plan?.step)
      await world.server.stop()
      world.server = await startServer({ ...CONFIG, dataFolder: server.folder }, undefined, clock)
    }
    if (time.now - START > 200 * HOUR) throw new Error('the plan never ended')
  }
  expect(steps).toEqual([1, 2, 3])
  expect(await planOf('2.0.0')).toMatchObject({ status: 'finished' })
  expect(new Set(world.versions)).toEqual(new Set(['2.0.0']))

  const publishedAt = time.now
  await publish(world.server, '2.1.0', { plan: PLAN })
  const { runner, failures } = judgingRunner(world.server)
  while ((await planOf('2.1.0'))?.status === 'running') {
    await checkAll(world, (device) => device % 25 < 4)
    await runner.look()
    time.now += INTERVAL
    if (time.now - publishedAt > 100 * HOUR) throw new Error('the plan was never stopped')
  }
  expect(failures).toEqual([])
  expect(time.now - publishedAt).toBeLessThan(48 * HOUR)
  expect(await shown(world.server, '2.1.0')).toMatchObject({ status: 'paused', rolloutPct: 10 })
  const { attention } = await callerOf(world.server).overview.get()
  expect(attention.failing).toMatchObject([
    { ...PLACE, version: '2.1.0', status: 'paused', reasons: [{ code: 'too_many_failures' }] },
  ])
  const [{ health, reasons }] = attention.failing as [(typeof attention.failing)[number]]
  expect(health.stuck).toBe(reasons[0]?.failed)
  expect(health.adopted + health.stuck).toBe(reasons[0]?.judged)
  const place = { ...PLACE, version: '2.1.0' }
  const { verdict } = await world.server.updates.showHealth(PRINCIPAL, place)
  // The runner of this test counts a control of its own, which the server has not seen.
  expect({ code: 'too_many_failures', ...verdict, networks: reasons[0]?.networks }).toEqual({
    ...reasons[0],
    control: undefined,
  })
  expect(verdict).toMatchObject({
    limitPct: 3,
    previous: { failed: 0, judged: DEVICES, lowPct: 0 },
  })
})
