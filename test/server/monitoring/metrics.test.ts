import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { PRINCIPAL } from '../../support/builders/actor.ts'
import { eventually } from '../../support/eventually.ts'
import { send } from '../../support/servers/browser.ts'
import { publish } from '../../support/servers/calls.ts'
import { isOnPostgres } from '../../support/servers/engine.ts'
import { request, startWithApp, type TestServer } from '../../support/servers/server.ts'
import { needs } from '../../support/tools.ts'

const METRICS = { host: '127.0.0.1', port: 0 }

async function scrape(server: TestServer): Promise<string> {
  const { status, text } = await request(server.metricsAddress ?? '', 'GET')
  expect(status).toBe(200)
  return text
}

/** The value of a series; undefined if it is not exposed. */
function seriesOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length))
}

const checks = (app: string, outcome: string) =>
  `tidegate_update_checks_total{app="${app}",outcome="${outcome}"}`

test('metrics are answered under the names of the server only, as the console is', async () => {
  const server = await startWithApp({
    ...{ metrics: METRICS, console: { names: ['updates.studio.example'], pageFolder: '/' } },
  })
  const { port, origin } = new URL(server.metricsAddress ?? '')
  const at = async (host: string, path = '/metrics') =>
    await send(origin, path, { headers: { host } })
  for (const own of [
    ...['localhost', '127.0.0.1', '[::1]', hostname(), 'Updates.Studio.example'],
    ...['192.0.2.7', '[2001:db8::7]'],
  ]) {
    expect((await at(`${own}:${port}`)).status, own).toBe(200)
    expect((await at(own)).status, own).toBe(200)
  }
  for (const rebound of [
    ...['evil.example', `evil.example:${port}`, 'localhost.evil.example', '127.0.0.1.evil.example'],
    ...['studio.example', 'x.updates.studio.example', 'a b', '2130706433', '0x7f.1'],
  ]) {
    const { status, text } = await at(rebound)
    expect([status, text.includes('tidegate_')], rebound).toEqual([421, false])
    expect((await at(rebound, '/')).status).toBe(421)
  }
})

test('checks are counted by app and outcome, on both ways to the answer', async () => {
  const server = await startWithApp({ metrics: METRICS, limits: { device: 6 } })
  await server.updates.createApp(PRINCIPAL, { ref: 'viewer' })
  await publish(server, '2.0.0')
  const headers = { 'x-service-device': 'device-1' }
  const ask = (path: string, method = 'GET') =>
    request(`${server.address}/u/${path}`, method, { headers })
  await ask('editor/stable/darwin/aarch64/1.0.0')
  await ask('editor/stable/darwin/aarch64/2.0.0')
  await ask('viewer/stable/darwin/aarch64/1.0.0')
  await ask('nobody/stable/darwin/aarch64/1.0.0')
  await ask('editor/stable/darwin/aarch64/one')
  // HEAD does not count, and goes through Express.
  await ask('editor/stable/darwin/aarch64/1.0.0', 'HEAD')
  await ask('editor/stable/darwin/aarch64/1.0.0')
  const text = await scrape(server)
  expect(seriesOf(text, checks('editor', 'update'))).toBe(1)
  expect(seriesOf(text, checks('editor', 'no_update'))).toBe(1)
  expect(seriesOf(text, checks('viewer', 'no_update'))).toBe(1)
  expect(seriesOf(text, checks('', 'not_found'))).toBe(1)
  expect(seriesOf(text, checks('', 'invalid'))).toBe(1)
  expect(seriesOf(text, checks('', 'rate_limited'))).toBe(1)
  expect(text).not.toContain('nobody')
  expect(seriesOf(text, 'tidegate_update_check_duration_seconds_count')).toBe(6)
  expect(seriesOf(text, 'tidegate_update_check_duration_seconds_bucket{le="+Inf"}')).toBe(6)
})

test('the state of the server is what health says', async () => {
  const server = await startWithApp({ metrics: METRICS })
  await publish(server, '2.0.0')
  const headers = { 'x-service-device': 'device-1' }
  await request(`${server.address}/u/editor/stable/darwin/aarch64/1.0.0`, 'GET', { headers })
  await server.telemetry.settled()
  const text = await scrape(server)
  const { body } = await server.call('GET', '/healthz')
  expect(seriesOf(text, 'tidegate_ready')).toBe(1)
  expect(seriesOf(text, 'tidegate_catalog_revision')).toBe(body.database.revision)
  expect(seriesOf(text, 'tidegate_devices{app="editor",seen="24h"}')).toBe(1)
  expect(seriesOf(text, 'tidegate_database_size_bytes{file="database"}')).toBeGreaterThan(4_096)
  const free = seriesOf(text, 'tidegate_disk_free_bytes')
  // Nobody tells about the disk of a database server.
  if (isOnPostgres) expect(free).toBeUndefined()
  else expect(free).toBeGreaterThan(0)
  // Without TLS there is no certificate, which is not one that expired in 1970.
  expect(seriesOf(text, 'tidegate_certificate_expiry_timestamp_seconds')).toBeUndefined()
})

// PostgreSQL is backed up by its own tools.
test.skipIf(isOnPostgres)('backups are shown', async () => {
  const server = await startWithApp({ metrics: METRICS, backups: { everyHours: 24 } })
  const before = Date.now() / 1_000
  await server.backups.now()
  const text = await scrape(server)
  expect(seriesOf(text, 'tidegate_backup_interval_seconds')).toBe(86_400)
  expect(seriesOf(text, 'tidegate_backup_failing')).toBe(0)
  const last = seriesOf(text, 'tidegate_backup_last_success_timestamp_seconds') ?? 0
  expect(Math.abs(last - before)).toBeLessThan(60)
})

test('a limit that was reached is shown', async () => {
  const server = await startWithApp({ metrics: METRICS, budgets: { newDevices: 1 } })
  for (const device of ['device-1', 'device-2', 'device-3']) {
    const headers = { 'x-service-device': device }
    await request(`${server.address}/u/editor/stable/darwin/aarch64/1.0.0`, 'GET', { headers })
  }
  await eventually(async () => {
    const text = await scrape(server)
    expect(seriesOf(text, 'tidegate_budget_rejections{budget="new_devices"}')).toBe(2)
    expect(seriesOf(text, 'tidegate_budget_rejections{budget="labels"}')).toBe(0)
  })
})

test('promtool finds nothing wrong', needs('promtool'), async () => {
  const server = await startWithApp({ metrics: METRICS })
  const input = await scrape(server)
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
    input,
    encoding: 'utf8',
  })
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
})

test('every metric of the dashboard and the alerts is exposed', async () => {
  const server = await startWithApp({ metrics: METRICS })
  const text = await scrape(server)
  const exposed = new Set(Array.from(text.matchAll(/^# TYPE (\S+)/gm), ([, name]) => name))
  const wanted = namesIn([...alertExpressions(), ...dashboardExpressions()])
  expect(wanted.length).toBeGreaterThan(20)
  expect(wanted.filter((name) => !exposed.has(name))).toEqual([])
})

test('only /metrics is answered on the port of the metrics, and it is off by default', async () => {
  const server = await startWithApp({ metrics: METRICS })
  const address = new URL('/healthz', server.metricsAddress ?? '').href
  expect((await request(address, 'GET')).status).toBe(404)
  expect((await request(server.metricsAddress ?? '', 'POST')).status).toBe(404)
  const without = await startWithApp()
  expect(without.metricsAddress).toBeNull()
  expect((await request(`${without.address}/metrics`, 'GET')).status).toBe(404)
})

const Expression = z.looseObject({ expr: z.string() })
const Alerts = z.object({ groups: z.array(z.object({ rules: z.array(Expression) })) })
const Dashboard = z.object({ panels: z.array(z.object({ targets: z.array(Expression) })) })

function alertExpressions(): string[] {
  const { groups } = Alerts.parse(parse(readFileSync('docs/monitoring/alerts.yml', 'utf8')))
  return groups.flatMap(({ rules }) => rules.map(({ expr }) => expr))
}

function dashboardExpressions(): string[] {
  const { panels } = Dashboard.parse(
    JSON.parse(readFileSync('docs/monitoring/dashboard.json', 'utf8')),
  )
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
}

/** The metrics that expressions name, without what Prometheus adds to those of a histogram. */
function namesIn(expressions: readonly string[]): string[] {
  const names = expressions.flatMap((expression) =>
    Array.from(expression.matchAll(/\b(?:tidegate|nodejs|process)_\w+/g), ([name]) =>
      name.replace(/_seconds_bucket$/, '_seconds'),
    ),
  )
  return [...new Set(names)]
}
