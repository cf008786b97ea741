import { expect, test } from 'vitest'
import { MAX_LABELS } from '../../../../src/shared/devices/counting.ts'
import { devicesToExclude } from '../../../../src/shared/health/always-valid.ts'
import { PLAN_PRESETS, presetPlan } from '../../../../src/shared/plans/plan-presets.ts'
import { PublishBody } from '../../../../src/shared/releases/release.ts'
import { EVERY_DEVICE, type Targets } from '../../../../src/shared/releases/targets.ts'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import { freeze, planOf, rolloutPlan } from '../../../support/builders/plans.ts'
import { artifact, publishBody } from '../../../support/builders/releases.ts'
import { DAY, HOUR } from '../../../support/builders/time.ts'
import { eventually } from '../../../support/eventually.ts'
import { check, publish, serve } from '../../../support/servers/calls.ts'
import { callerOf } from '../../../support/servers/console.ts'
import { ada, refusalOf } from '../../../support/servers/guarded.ts'
import {
  admitRings,
  PLACE,
  publishPlanned,
  RELEASE,
  START,
  startPlanned,
} from '../../../support/servers/planned.ts'
import { startReceiver, webhookInput } from '../../../support/servers/receiver.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'

const PLAN = rolloutPlan()
const AS_MANY_AS_CAN_BE = Object.fromEntries(
  Array.from({ length: MAX_LABELS }, (_, index) => [`label-${index}`, 'value']),
)
const NO_RANGE: Targets = {
  ...EVERY_DEVICE,
  matchExpressions: [{ key: 'version', operator: 'VersionIn', values: ['none'] }],
}
const iso = (time: number) => new Date(time).toISOString()

test('the calendar has every plan that can go on, when its steps are due, and all freezes', async () => {
  const { server, time } = await startPlanned()
  const console = callerOf(server)
  const days = freeze('2026-11-22', '2026-11-23', 'Europe/Berlin')
  await console.apps.setFreezes({ app: 'editor', freezes: [days] })
  await publishPlanned(server, PLAN)
  await publish(server, '1.1.0', { plan: PLAN })
  await serve(server, '1.1.0', { status: 'paused' })
  await publish(server, '1.2.0', { plan: rolloutPlan([[100, 0]]) })
  await publish(server, '1.3.0', { plan: PLAN })
  await serve(server, '1.3.0', { status: 'rolled_back' })
  const at = (day: string) => `2026-11-${day}.000Z`
  expect(await console.plans.calendar()).toMatchObject({
    plans: [
      {
        ...{ ...RELEASE, rolloutPct: 10, state: { status: 'running', step: 1 } },
        forecast: {
          steps: [
            { step: 1, rolloutPct: 50, rings: null, at: at('21T10:00:00') },
            { step: 2, rolloutPct: 100, rings: null, at: at('23T23:00:00') },
          ],
          finished: at('24T23:00:00'),
        },
      },
      { version: '1.1.0', state: { status: 'suspended', reason: 'changed' }, forecast: null },
    ],
    freezes: [{ app: 'editor', freezes: [days] }],
  })
  time.now += HOUR
  const [app] = await console.apps.list()
  expect(app).toMatchObject({ ref: 'editor', freezes: [days] })
})

test('a plan is tried on a release, and on one that does not exist yet', async () => {
  const { server } = await startPlanned()
  const console = callerOf(server)
  expect(await console.plans.forecast({ ...PLACE, plan: PLAN })).toMatchObject({
    steps: [
      { step: 0, rolloutPct: 10, rings: null, at: iso(START) },
      { step: 1, rolloutPct: 50, rings: null, at: iso(START + DAY) },
      { step: 2, rolloutPct: 100, rings: null, at: iso(START + 2 * DAY) },
    ],
    finished: iso(START + 3 * DAY),
  })
  await publish(server, '1.0.0', { rolloutPct: 20 })
  const { steps } = await console.plans.forecast({ ...RELEASE, plan: PLAN })
  expect(steps.map(({ step, at }) => [step, at])).toEqual([
    [1, iso(START + DAY)],
    [2, iso(START + 2 * DAY)],
  ])
  await expect(console.plans.forecast(RELEASE)).rejects.toThrow('unknown_plan')
})

test('a plan is refused alike when it is tried, published and proposed', async () => {
  const { server } = await startPlanned()
  const console = callerOf(server)
  await admitRings(server, 'me')
  await console.channels.create({ app: 'editor', name: 'guarded' })
  const { earlyAccess } = server.catalog.snapshot.channelByKey.get(1)?.record.policy ?? {}
  await server.updates.setChannelPolicy(PRINCIPAL, {
    ...{ app: 'editor', channel: 'guarded' },
    change: { requireApproval: true, earlyAccess },
  })
  const rings = (...names: string[]) =>
    planOf([
      ...names.map((ring) => ({ ring: [ring], soakHours: 1 })),
      { rolloutPct: 20, soakHours: 1 },
    ])
  const labels = (matchLabels: Targets['matchLabels']): Targets => ({
    ...EVERY_DEVICE,
    matchLabels,
  })
  for (const [code, path, plan, targets] of [
    ['ring_not_early', 'plan.steps.1.ring', rings('me', 'friends'), EVERY_DEVICE],
    ['ring_not_early', 'plan.steps.0.ring', rings('friends'), labels({ region: 'eu' })],
    ['ring_not_targeted', 'plan.steps.0.ring', rings('me'), labels({ ring: 'friends' })],
    ['invalid_input', 'plan.steps.0.ring', rings('me'), labels(AS_MANY_AS_CAN_BE)],
    ['invalid_range', 'targets.matchExpressions.0.values.0', rings('me'), NO_RANGE],
  ] as const) {
    const refused = { code, path: path.split('.') }
    const place = { ...PLACE, version: '1.0.0' }
    const tried = server.updates.forecastPlan(PRINCIPAL, { ...place, plan, targets })
    expect(await refusalOf(tried)).toMatchObject(refused)
    const body = PublishBody.parse(publishBody('1.0.0', { plan, targets }))
    expect(await refusalOf(server.updates.publishRelease(PRINCIPAL, body))).toMatchObject(refused)
    const { app, channel: _, version, ...content } = body
    const change = { kind: 'publish' as const, ...content }
    const proposal = { app, channel: 'guarded', version, change, comment: '' }
    const proposed = server.updates.proposeChange(ada, proposal)
    expect(await refusalOf(proposed)).toMatchObject(refused)
  }
  const plan = rings('me')
  const { steps } = await server.updates.forecastPlan(PRINCIPAL, { ...RELEASE, plan })
  expect(steps).toMatchObject([{ rings: ['me'], rolloutPct: 20 }, { rolloutPct: 20 }])
  expect(await publishPlanned(server, plan)).toMatchObject({ rolloutPct: 20 })
})

test('a plan that is tried says how long a step takes to exclude that too many devices fail', async () => {
  const { server, time } = await startPlanned()
  const devices = Array.from({ length: 700 }, (_, device) => ({
    ...{ deviceId: `device-${device}`, version: '0.9.0', platform: 'darwin', arch: 'aarch64' },
    labels: {},
  }))
  await server.updates.planWave(PRINCIPAL, { ...PLACE, devices, dryRun: false })
  time.now += DAY
  const gate = { maxFailedPct: 10 }
  const plan = planOf([
    { rolloutPct: 1, soakHours: 1 },
    { rolloutPct: 50, soakHours: 1, gate },
  ])
  const { steps } = await server.updates.forecastPlan(PRINCIPAL, { ...PLACE, plan })
  const needed = devicesToExclude(0.1)
  // Of 100 devices a day, on an average of the week.
  const hours = Math.ceil((24 * needed) / 50)
  expect(steps.map(({ evidence }) => evidence)).toEqual([
    {
      ...{ limitPct: 3, needed: devicesToExclude(0.03), devices: 7 },
      ...{ hours: null, silenceHours: null, gate: null },
    },
    {
      ...{ limitPct: 10, needed, devices: 350 },
      ...{ hours, silenceHours: 78, gate: { opensFrom: 40, leastPct: 5 } },
    },
  ])
})

test('the plan that is recommended follows the devices of the channel', async () => {
  const { server, time } = await startPlanned()
  const console = callerOf(server)
  expect(await console.plans.recommended(PLACE)).toBe('one-day')
  const devices = Array.from({ length: 600 }, (_, device) => ({
    ...{ deviceId: `device-${device}`, version: '0.9.0', platform: 'darwin', arch: 'aarch64' },
    labels: {},
  }))
  for (let day = 0; day < 7; day += 1) {
    await server.updates.planWave(PRINCIPAL, { ...PLACE, devices, dryRun: false })
    time.now += DAY
  }
  expect(await console.plans.recommended(PLACE)).toBe('three-days')
  const plan = presetPlan('three-days', 'UTC')
  const { steps } = await console.plans.forecast({ ...PLACE, plan })
  expect(steps.map(({ evidence }) => evidence?.silenceHours)).toEqual([42, null])
  await expect(console.plans.recommended({ ...PLACE, channel: 'other' })).rejects.toThrow('unknown')
})

test('a form that was filled in before a step was applied is refused', async () => {
  const { server, time, runner } = await startPlanned()
  const console = callerOf(server)
  await publishPlanned(server, PLAN)
  const { lastChange: seenChange, plan } = await console.plans.get(RELEASE)
  expect(plan).toMatchObject({ step: 1 })
  time.now += DAY
  await runner.look()
  const suspended = console.plans.suspend({ ...RELEASE, seenChange })
  await expect(suspended).rejects.toThrow('changed_since_seen')
  const { lastChange } = await console.plans.get(RELEASE)
  expect(await console.plans.suspend({ ...RELEASE, seenChange: lastChange })).toMatchObject({
    status: 'suspended',
  })
})

test('devices are expected by ring, and by percentage', async () => {
  const server = await startWithApp()
  await admitRings(server, 'me', 'testers')
  for (let index = 0; index < 40; index++) {
    const ring = index < 2 ? 'me' : index < 10 ? 'testers' : 'other'
    await check(server, '0.9.0', { device: `device-${index}`, query: `?l.ring=${ring}` })
  }
  const plan = planOf([
    { ring: ['me'], soakHours: 1 },
    { ring: ['testers'], soakHours: 1 },
    { rolloutPct: 50, soakHours: 1 },
    { rolloutPct: 100, soakHours: 1 },
  ])
  const release = {
    targets: EVERY_DEVICE,
    artifacts: [{ ...artifact(), kind: '', size: 0, signature: '' }],
  }
  expect(await expectedBy(server, { ...RELEASE, plan, release })).toEqual({
    ...{ type: 'result', devices: 40, byStep: [2, 10, 20, 40], bytesByStep: [0, 0, 0, 0] },
  })
  const sized = { ...release, artifacts: release.artifacts.map((each) => ({ ...each, size: 7 })) }
  expect(await expectedBy(server, { ...RELEASE, plan, release: sized })).toMatchObject({
    bytesByStep: [14, 70, 140, 280],
  })
  await publish(server, '1.0.0', { rolloutPct: 0 })
  expect(await expectedBy(server, { ...RELEASE, plan })).toMatchObject({ byStep: [2, 10, 20, 40] })
})

test('the presets are plans, in the time zone of who chooses one', () => {
  for (const preset of PLAN_PRESETS) {
    const { steps, timeZone } = presetPlan(preset, 'Asia/Tokyo')
    expect(timeZone).toBe('Asia/Tokyo')
    expect(steps.at(-1)).toMatchObject({ rolloutPct: 100 })
  }
})

test('a webhook hears of steps, of a suspension and of the end', async () => {
  const receiver = await startReceiver()
  const time = { now: Date.now() }
  const server = await startWithApp(
    { plans: { lookEvery: 10 }, webhooks: { privateHosts: [receiver.host] } },
    undefined,
    { clock: () => time.now },
  )
  const events = ['plan.step_applied', 'plan.suspended', 'plan.finished'] as const
  const { url } = receiver
  const console = callerOf(server)
  await console.webhooks.create(webhookInput({ url, events: [...events], app: 'editor' }))
  await publishPlanned(
    server,
    rolloutPlan([
      [50, 1],
      [100, 1],
    ]),
  )
  await serve(server, '1.0.0', { rolloutPct: 60 })
  await console.plans.resume(RELEASE)
  for (const [step, status] of [
    [2, 'running'],
    [2, 'finished'],
  ] as const) {
    time.now += HOUR
    await eventually(async () => {
      expect((await console.plans.get(RELEASE)).plan).toMatchObject({ step, status })
    })
  }
  const sent = (await receiver.until(4)).map(({ body }) => JSON.parse(body))
  expect(sent).toMatchObject([
    { type: 'plan.step_applied', data: { ...RELEASE, after: { step: 1, of: 2, rolloutPct: 50 } } },
    { type: 'plan.suspended', data: { after: { reason: 'changed' } } },
    { type: 'plan.step_applied', data: { after: { step: 2, health: { offered: 0 } } } },
    { type: 'plan.finished', data: { actor: { kind: 'server' } } },
  ])
})

async function expectedBy(
  server: TestServer,
  input: Parameters<ReturnType<typeof callerOf>['plans']['expected']>[0],
) {
  let last: unknown
  for await (const event of await callerOf(server).plans.expected(input)) last = event
  return last
}
