import { expect, test } from 'vitest'
import type { GateServer } from '../../../../src/server/outbound/gates/ask.ts'
import { GateReader } from '../../../../src/server/use-cases/plans/gate-reader.ts'
import type { PrometheusCheck } from '../../../../src/shared/plans/gate-check.ts'
import type { PlanGate } from '../../../../src/shared/plans/plan.ts'
import { planOf } from '../../../support/builders/plans.ts'
import { HOUR } from '../../../support/builders/time.ts'
import { auditOf } from '../../../support/servers/calls.ts'
import {
  publishPlanned,
  RELEASE,
  standing,
  startPlanned,
} from '../../../support/servers/planned.ts'
import { startPrometheus } from '../../../support/servers/prometheus.ts'
import { startReceiver } from '../../../support/servers/receiver.ts'
import { needs } from '../../../support/tools.ts'

const MINUTE = 60_000

/** A release that waits for a gate after one hour, and what reads the gate. */
async function startGated(gate: PlanGate, servers: readonly GateServer[], timeout?: number) {
  const planned = await startPlanned()
  const { server, time, runner } = planned
  const reader = new GateReader({
    ...{ catalog: server.catalog, lookEvery: MINUTE },
    asking: { servers, userAgent: 'Tidegate/test', timeout },
    onFailure: (error) => planned.seen.failures.push(error),
  })
  const steps = [
    { rolloutPct: 10, soakHours: 1, gate },
    { rolloutPct: 100, soakHours: 1 },
  ]
  await publishPlanned(server, planOf(steps))
  time.now += HOUR
  /** Reads the gate a minute later, and carries out what is due. Returns what is shown. */
  const look = async () => {
    time.now += MINUTE
    await reader.look()
    const { readings, step } = await standing(server)
    await runner.look()
    expect(planned.seen.failures).toEqual([])
    return { step, reading: readings?.[0] }
  }
  return { ...planned, reader, look }
}

const open = (origin: string): GateServer => ({ origin, authorization: null })

function query(server: string, query: string, members: Partial<PrometheusCheck> = {}): PlanGate {
  return { prometheus: { server, query, max: 0.02, ...members } }
}

test('a plan waits for a value of Prometheus', needs('prometheus'), async () => {
  const prometheus = await startPrometheus()
  await prometheus.expose(
    'app_errors{version="1.0.0",channel="stable"} 0.5',
    'app_errors{version="0.9.0",channel="stable"} 0',
    'app_ratio NaN',
    'app_huge +Inf',
  )
  const { origin } = prometheus
  const found = async (promql: string) => {
    const { look, server } = await startGated(query(origin, promql), [open(origin)])
    const { reading } = await look()
    expect(await standing(server)).toMatchObject({ step: 1, next: { waitsFor: 'gate' } })
    return reading
  }
  const problem = (code: string, status: number | null = null) => ({
    ...{ check: 'prometheus', value: null, problem: code, status },
  })
  expect(await found('absent_metric')).toMatchObject(problem('no_data'))
  expect(await found('app_errors')).toMatchObject(problem('several_series'))
  expect(await found('app_ratio')).toMatchObject(problem('not_a_number'))
  expect(await found('app_huge')).toMatchObject(problem('not_a_number'))
  expect(await found('"text"')).toMatchObject(problem('malformed'))
  expect(await found('sum(')).toMatchObject(problem('query_refused', 400))

  const own = 'app_errors{version="$version",channel="$channel"}'
  const { look, server } = await startGated(query(origin, own), [open(origin)])
  expect(await look()).toMatchObject({ step: 1, reading: { value: 0.5, problem: null } })
  await prometheus.expose('app_errors{version="1.0.0",channel="stable"} 0.01')
  expect(await look()).toMatchObject({ step: 1, reading: { value: 0.01, problem: null } })
  expect(await standing(server)).toMatchObject({ step: 2, rolloutPct: 100, readings: null })
  const [, applied] = await auditOf(server, 'release.plan_step_applied')
  expect(applied).toMatchObject({ after: { step: 2, readings: [{ value: 0.01 }] } })
})

test('a server that is not allowed, fails or redirects never passes a gate, nor gets a token of another', async () => {
  const passing = { status: 'success', data: { resultType: 'scalar', result: [1, '0'] } }
  const ok = { status: 200, body: JSON.stringify(passing) }
  const target = await startReceiver(ok)
  const receiver = await startReceiver(ok)
  const { origin } = new URL(receiver.url)
  const authorization = 'Bearer of-the-first'
  const gate = query(`${origin}/prefix`, 'x')
  const other = await startGated(gate, [{ origin: new URL(target.url).origin, authorization }])
  expect(await other.look()).toMatchObject({ step: 1, reading: { problem: 'server_not_allowed' } })
  expect([receiver.received, target.received]).toEqual([[], []])

  const { look } = await startGated(gate, [{ origin, authorization }], 2_000)
  const answered = async (status: number, members: object = {}) => {
    receiver.answer({ status, ...members })
    return (await look()).reading
  }
  const location = { headers: { location: target.url } }
  expect(await answered(302, location)).toMatchObject({ problem: 'redirected', status: 302 })
  expect(await answered(401)).toMatchObject({ problem: 'unauthorized', status: 401 })
  expect(await answered(503)).toMatchObject({ problem: 'error_status', status: 503 })
  expect(await answered(200, { body: '<html>' })).toMatchObject({ problem: 'malformed' })
  const long = { body: `"${'x'.repeat(70_000)}"` }
  expect(await answered(200, long)).toMatchObject({ problem: 'too_large' })
  const warned = { body: JSON.stringify({ ...passing, warnings: ['a store is down'] }) }
  expect(await answered(200, warned)).toMatchObject({ problem: 'partial' })
  receiver.answer(undefined)
  expect((await look()).reading).toMatchObject({ problem: 'timed_out' })
  expect(target.received).toEqual([])
  const [first] = receiver.received
  expect(first?.path).toBe('/prefix/api/v1/query?query=x&timeout=9s&limit=2')
  expect(first?.headers.authorization).toBe(authorization)
  receiver.answer(ok)
  expect(await look()).toMatchObject({ step: 1, reading: { value: 0, problem: null } })
})

test('a gate is asked once a minute, and an old answer does not count', async () => {
  const passing = { status: 'success', data: { resultType: 'scalar', result: [1, '0'] } }
  const receiver = await startReceiver({ status: 200, body: JSON.stringify(passing) })
  const { origin } = new URL(receiver.url)
  const gated = await startGated(query(origin, 'x'), [open(origin)])
  const { reader, runner, time, server } = gated
  await reader.look()
  await reader.look()
  expect(receiver.received).toHaveLength(1)
  time.now += 4 * MINUTE
  await runner.look()
  expect(await standing(server)).toMatchObject({ step: 1, readings: [{ value: 0 }] })
  await reader.look()
  await runner.look()
  expect(await standing(server)).toMatchObject({ step: 2 })
  expect(receiver.received).toHaveLength(2)
})

test('the crash-free share of Sentry is taken at its lower bound', async () => {
  const receiver = await startReceiver()
  const { origin } = new URL(receiver.url)
  const sentry = {
    ...{ server: origin, organization: 'studio', project: 7, release: '$app@$version' },
    ...{ environment: 'production', minCrashFreePct: 99, minSessions: 100 },
  }
  const { look } = await startGated({ sentry }, [open(origin)])
  const answered = async (sessions: number | null, rate: number | null) => {
    const totals = { 'sum(session)': sessions, 'crash_free_rate(session)': rate }
    receiver.answer({ status: 200, body: JSON.stringify({ groups: [{ by: {}, totals }] }) })
    return await look()
  }
  expect((await answered(0, null)).reading).toMatchObject({ problem: 'no_data' })
  expect((await answered(99, 1)).reading).toMatchObject({ problem: 'few_sessions', sessions: 99 })
  // 1 of 200 is at most 4.6%.
  expect((await answered(200, 0.995)).reading).toMatchObject({ problem: null, sessions: 200 })
  expect(await answered(20_000, 0.995)).toMatchObject({ step: 1, reading: { check: 'sentry' } })
  expect((await answered(20_000, 0.995)).step).toBe(2)
  const asked = new URL(receiver.received[0]?.path ?? '', origin)
  expect(asked.pathname).toBe('/api/0/organizations/studio/sessions/')
  expect(asked.searchParams.get('query')).toBe(`release:"${RELEASE.app}@${RELEASE.version}"`)
  expect(asked.searchParams.getAll('project')).toEqual(['7'])
})
