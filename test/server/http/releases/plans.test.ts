import { expect, test } from 'vitest'
import { rolloutPlan } from '../../../support/builders/plans.ts'
import { publishBody } from '../../../support/builders/releases.ts'
import { expectError, publish, RELEASES, setPolicy } from '../../../support/servers/calls.ts'
import { admitRings, PLACE, RELEASE } from '../../../support/servers/planned.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'

const PLAN = rolloutPlan([
  [10, 24],
  [100, 24],
])
const STEPS = [
  { rolloutPct: 10, soakHours: 24 },
  { rolloutPct: 100, soakHours: 24 },
]
const PATH = `${RELEASES}/editor/stable/1.0.0/plan`

const refused = async (server: TestServer, plan: unknown, members: object = {}) => {
  const body = { ...publishBody('1.0.0'), plan, ...members }
  return expectError(await server.call('POST', RELEASES, { body }), 400)
}

test('a plan is set, suspended, resumed, shown and removed', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0', { rolloutPct: 0 })
  expect((await server.call('GET', PATH)).body).toEqual({ plan: null })
  const body = { ...RELEASE, plan: { steps: STEPS } }
  const set = await server.call('PUT', `${RELEASES}/plan`, { body })
  expect(set.body.plan).toMatchObject({
    ...{ plan: PLAN, status: 'running', reason: null, step: 1, next: { waitsFor: 'soak' } },
  })
  expect((await server.call('GET', PATH)).body).toEqual(set.body)
  const suspended = await server.call('POST', `${RELEASES}/plan/suspend`, { body: RELEASE })
  expect(suspended.body.plan).toMatchObject({
    status: 'suspended',
    reason: 'requested',
    next: null,
  })
  const resumed = await server.call('POST', `${RELEASES}/plan/resume`, { body: RELEASE })
  expect(resumed.body.plan).toMatchObject({ status: 'running', step: 1 })
  const query = new URLSearchParams(RELEASE)
  const removed = await server.call('DELETE', `${RELEASES}/plan?${query}`)
  expect(removed.body.plan).toMatchObject({ status: 'running', step: 1 })
  const gone = await server.call('DELETE', `${RELEASES}/plan`, { body: RELEASE })
  expect(expectError(gone, 404)).toBe('release 1.0.0 of editor/stable has no plan')
})

test('a serving change sets a plan, and nothing besides', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0', { rolloutPct: 0 })
  const body = { ...RELEASE, plan: { steps: STEPS } }
  const both = await server.call('PATCH', RELEASES, { body: { ...body, rolloutPct: 5 } })
  expect(expectError(both, 400)).toBe('plan: must be given without targets, rolloutPct and status')
  expect((await server.call('GET', PATH)).body).toEqual({ plan: null })
  const { status, body: answer } = await server.call('PATCH', RELEASES, { body })
  expect([status, answer.release]).toEqual([
    200,
    expect.objectContaining({ version: '1.0.0', rolloutPct: 10 }),
  ])
  expect((await server.call('GET', PATH)).body.plan).toMatchObject({ status: 'running', step: 1 })
})

test('a draft is published with a plan', async () => {
  const server = await startWithApp()
  const { version: _, ...draft } = publishBody('1.0.0')
  await server.call('PUT', '/api/v1/drafts', { body: { ...draft, ...RELEASE } })
  const body = { ...RELEASE, plan: { steps: STEPS } }
  const { status, body: published } = await server.call('POST', '/api/v1/drafts/publish', { body })
  expect([status, published.release.rolloutPct]).toEqual([201, 10])
  expect((await server.call('GET', PATH)).body.plan).toMatchObject({ status: 'running' })
})

test('what is wrong with a plan is named', async () => {
  const server = await startWithApp()
  const step = { rolloutPct: 10, soakHours: 1 }
  const each = (...steps: unknown[]) => refused(server, { steps })
  expect(await refused(server, { steps: STEPS }, { rolloutPct: 10 })).toBe(
    'rolloutPct: must be left out with a plan, which raises the rollout from 0%',
  )
  expect(await each()).toBe('plan.steps: must have a step')
  expect(await each({ ...step, rolloutPct: 101 })).toBe(
    'plan.steps.0.rolloutPct: must be a whole number from 1 to 100',
  )
  expect(await each({ rolloutPct: 10 })).toBe('plan.steps.0.soakHours: is required')
  expect(await each({ soakHours: 1 })).toBe('plan.steps.0: must have either rolloutPct or ring')
  expect(await each({ ...step, ring: ['a'] })).toBe(
    'plan.steps.0: must have either rolloutPct or ring',
  )
  expect(await each(step, step)).toBe(
    'plan.steps.1.rolloutPct: must be above that of the step before',
  )
  expect(await each(step, { ring: ['a'], soakHours: 1 })).toBe(
    'plan.steps.1.ring: must come before the steps with a percentage',
  )
  expect(await each({ ring: ['a'], soakHours: 1 }, { ring: ['a'], soakHours: 1 })).toBe(
    'plan.steps.1.ring: must add a ring to those of the steps before',
  )
  expect(await each({ ...step, gate: { minSample: 0 } })).toContain('plan.steps.0.gate.minSample: ')
  expect(await refused(server, { steps: [step], timeZone: 'Mars/Olympus' })).toBe(
    'plan.timeZone: must be an IANA time zone such as Europe/Berlin',
  )
  const windows = [{ days: ['mon'], from: '10:00', to: '10:00' }]
  expect(await refused(server, { steps: [step], windows })).toBe(
    'plan.windows.0.to: must be another time than from',
  )
})

test('setting a plan takes the scope serve, and approval where it is required', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0', { rolloutPct: 0 })
  const body = { ...RELEASE, plan: { steps: STEPS } }
  const reader = await server.mint({ scopes: ['read'] })
  expectError(await server.call('PUT', `${RELEASES}/plan`, { body, key: reader }), 403)
  const other = await server.mint({ scopes: ['publish', 'serve'] })
  expectError(await server.call('GET', PATH, { key: other }), 403)
  await setPolicy(server, { requireApproval: true })
  expect(expectError(await server.call('PUT', `${RELEASES}/plan`, { body }), 403)).toContain(
    'requires approval',
  )
  await setPolicy(server, { requireApproval: false })
  await admitRings(server, 'me')
  const rings = { steps: [{ ring: ['me'], soakHours: 1 }, ...STEPS] }
  const set = await server.call('PUT', `${RELEASES}/plan`, { body: { ...body, plan: rings } })
  expect(set.body.plan).toMatchObject({ step: 1, plan: rings })
  const { body: shown } = await server.call('GET', `${RELEASES}/editor/stable/1.0.0`)
  expect(shown.release).toMatchObject({ ...PLACE, targets: { matchLabels: { ring: ['me'] } } })
})
