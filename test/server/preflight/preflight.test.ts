import { expect, test } from 'vitest'
import { requireApp, requireChannel } from '../../../src/server/catalog/catalog.ts'
import { setPlan } from '../../../src/server/catalog/plans/plans.ts'
import { publishRelease } from '../../../src/server/catalog/releases/publish.ts'
import { changeServing } from '../../../src/server/catalog/releases/serving.ts'
import { Plan } from '../../../src/shared/plans/plan.ts'
import type { PreflightReport } from '../../../src/shared/releases/preflight.ts'
import { PublishBody } from '../../../src/shared/releases/release.ts'
import { ACTOR } from '../../support/builders/actor.ts'
import { item } from '../../support/builders/devices.ts'
import { artifact, publishBody } from '../../support/builders/releases.ts'
import { HOUR } from '../../support/builders/time.ts'
import { eventualValue } from '../../support/eventually.ts'
import { cli } from '../../support/processes/cli.ts'
import {
  auditOf,
  expectError,
  publish,
  RELEASES,
  serve,
  setPolicy,
} from '../../support/servers/calls.ts'
import { REPORT } from '../../support/servers/fleet-calls.ts'
import { START } from '../../support/servers/planned.ts'
import { startWithApp, type TestServer } from '../../support/servers/server.ts'

const exe = (version: string, arch = 'x64') =>
  artifact({ platform: 'windows', arch, url: `https://a.example/Editor-${version}-${arch}.exe` })
const dmg = (version: string, members = {}) =>
  artifact({
    ...{ platform: 'darwin', arch: 'any', url: `https://a.example/Editor-${version}-mac.zip` },
    ...members,
  })

async function devices(server: TestServer, count: number, members: Record<string, unknown>) {
  const named = `${members.platform}-${members.arch}-${members.version}`
  const all = Array.from({ length: count }, (_, at) => item(`${named}-${at}`, members))
  const body = { app: 'editor', devices: all }
  const { status, text } = await server.call('POST', REPORT, { body })
  expect(status, text).toBe(200)
}

async function preflight(server: TestServer, version: string): Promise<PreflightReport> {
  const path = `${RELEASES}/editor/stable/${version}/preflight`
  const { status, body, text } = await server.call('GET', path)
  expect(status, text).toBe(200)
  return body.preflight
}

test('counts the devices that reach a release, and those that will refuse it by the cause', async () => {
  const server = await startWithApp()
  const artifacts = [exe('1.0.0'), exe('1.0.0', 'arm64'), dmg('1.0.0')]
  await publish(server, '1.0.0', { artifacts })
  await devices(server, 5, { platform: 'windows', arch: 'x64', version: '1.0.0' })
  await devices(server, 3, { platform: 'windows', arch: 'arm64', version: '1.0.0' })
  await devices(server, 2, { platform: 'darwin', arch: 'arm64', version: '1.0.0' })
  const old = { platform: 'darwin', arch: 'x64', version: '0.9.0', labels: { os: '12.1' } }
  await devices(server, 4, old)
  const floor = { minimumSystemVersion: '23.0.0' }
  const body = { app: 'editor', channel: 'stable', version: '1.1.0' }
  const draft = { ...body, artifacts: [exe('1.1.0'), dmg('1.1.0', floor)] }
  expect((await server.call('PUT', '/api/v1/drafts', { body: draft })).status).toBe(200)
  const report = await preflight(server, '1.1.0')
  expect(report).toMatchObject({
    ...{ status: 'draft', verdict: 'fail', devices: 14, reaching: 7, refusing: 7 },
    findings: [
      { code: 'no_file', devices: 3, client: 'electron_updater', arch: 'aarch64' },
      { code: 'system_too_old', devices: 4, expected: '23.0.0', found: '12.1' },
      { code: 'system_unknown', devices: 2, expected: '23.0.0' },
    ],
  })
  const ended = await cli(server.folder, 'preflight', 'editor', 'stable', '1.1.0')
  expect(ended.code).toBe(3)
  expect(ended.stderr).toContain('7 devices will refuse 1.1.0: minimum macOS 14 (4), no file (3)')
})

test('a channel that requires preflight offers no release that fails, unless the finding is accepted', async () => {
  const server = await startWithApp()
  const both = (version: string) => ({ artifacts: [exe(version), exe(version, 'arm64')] })
  await publish(server, '1.0.0', both('1.0.0'))
  await devices(server, 2, { platform: 'windows', arch: 'arm64', version: '1.0.0' })
  await setPolicy(server, { preflight: 'required' })
  await publish(server, '1.0.1', both('1.0.1'))
  const body = { app: 'editor', channel: 'stable', version: '1.1.0', artifacts: [exe('1.1.0')] }
  const refused = 'preflight fails (no_file); 2 known devices would not install it'
  const post = (path: string, members = {}) =>
    server.call('POST', path, { body: { ...body, ...members } })
  expect(expectError(await post(RELEASES), 409)).toContain(refused)
  expect((await post(RELEASES, { rolloutPct: 0 })).status).toBe(201)
  expect(expectError(await serve(server, '1.1.0', { rolloutPct: 10 }), 409)).toContain(refused)
  const { artifacts: _, ...place } = body
  const plan = { steps: [{ rolloutPct: 100, soakHours: 1 }] }
  const planned = await server.call('PUT', `${RELEASES}/plan`, { body: { ...place, plan } })
  expect(expectError(planned, 409)).toContain(refused)
  const draft = { ...place, version: '1.2.0' }
  await server.call('PUT', '/api/v1/drafts', { body: { ...draft, artifacts: body.artifacts } })
  const published = await server.call('POST', '/api/v1/drafts/publish', { body: draft })
  expect(expectError(published, 409)).toContain(refused)
  expect((await serve(server, '1.1.0', { status: 'paused' })).status).toBe(200)
  expect(
    expectError(await serve(server, '1.1.0', { status: 'published', rolloutPct: 1 }), 409),
  ).toContain(refused)
  const reason = 'Windows on ARM is no longer supported'
  const accepted = await cli(
    server.folder,
    ...['channel', 'policy', 'editor', 'stable', '--accept-finding', `no_file=${reason}`],
  )
  expect(accepted.stdout).toContain(`Accepted finding           no_file: ${reason}`)
  await server.catalog.refresh()
  expect(await preflight(server, '1.1.0')).toMatchObject({
    ...{ verdict: 'pass', refusing: 2 },
    findings: [{ code: 'no_file', accepted: reason }],
  })
  expect((await serve(server, '1.1.0', { status: 'published', rolloutPct: 10 })).status).toBe(200)
  const [change] = (await auditOf(server, 'channel.policy_changed')).slice(-1)
  expect(JSON.stringify(change)).toContain(reason)
  const again = ['channel', 'policy', 'editor', 'stable', '--count-finding', 'no_file']
  expect((await cli(server.folder, ...again)).stdout).not.toContain('Accepted')
})

test('a step of a plan is judged again, and suspends the plan if the release fails by then', async () => {
  const time = { now: START }
  const config = { plans: { lookEvery: 20 } }
  const server = await startWithApp(config, undefined, { clock: () => time.now })
  await publish(server, '1.0.0', { artifacts: [exe('1.0.0'), exe('1.0.0', 'arm64')] })
  await setPolicy(server, { preflight: 'required' })
  const steps = [10, 100].map((rolloutPct) => ({ rolloutPct, soakHours: 1 }))
  // The file that is missing is a warning as long as nobody has such a computer.
  const artifacts = [exe('1.1.0')]
  const published = await publish(server, '1.1.0', { artifacts, plan: { steps } })
  expect(published.preflight).toEqual({ refusing: 0, findings: ['no_file'] })
  await devices(server, 2, { platform: 'windows', arch: 'arm64', version: '1.0.0' })
  time.now += HOUR
  const plan = await eventualValue(async () => {
    const { body } = await server.call('GET', `${RELEASES}/editor/stable/1.1.0/plan`)
    return body.plan.status === 'running' ? undefined : body.plan
  })
  expect(plan).toMatchObject({ status: 'suspended', reason: 'refused', step: 1 })
  const [entry] = (await auditOf(server, 'release.plan_suspended')).slice(-1)
  expect(entry?.after).toMatchObject({ refusal: 'preflight_failed' })
})

test('a change that was judged by an earlier policy is refused in its transaction', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0', { rolloutPct: 0 })
  const { catalog } = server
  const judged = requireChannel(requireApp(catalog.snapshot, 'editor'), 'stable')
  const raise = () => changeServing(catalog, ACTOR, judged, '1.0.0', { rolloutPct: 5 })
  await setPolicy(server, { preflight: 'required' })
  await expect(raise()).rejects.toMatchObject({ facts: { code: 'changed_meanwhile' } })
  const planned = { actor: ACTOR, channel: judged, version: '1.0.0', approval: null }
  const plan = { steps: [{ rolloutPct: 100, soakHours: 1 }] }
  await expect(setPlan(catalog, { ...planned, plan: Plan.parse(plan) })).rejects.toMatchObject({
    facts: { code: 'changed_meanwhile' },
  })
  const content = PublishBody.parse(publishBody('1.1.0'))
  await expect(publishRelease(catalog, ACTOR, judged, content)).rejects.toMatchObject({
    facts: { code: 'changed_meanwhile' },
  })
  const paused = await changeServing(catalog, ACTOR, judged, '1.0.0', { status: 'paused' })
  expect(paused.changed).toBe(true)
  await setPolicy(server, { preflight: 'off' })
  expect((await raise()).changed).toBe(true)
})

test('with warnings, API and command line say what was found, and go on', async () => {
  const server = await startWithApp()
  const both = (version: string) => [exe(version), exe(version, 'arm64')]
  await publish(server, '1.0.0', { artifacts: both('1.0.0') })
  await devices(server, 2, { platform: 'windows', arch: 'arm64', version: '1.0.0' })
  await setPolicy(server, { preflight: 'warn' })
  expect(await publish(server, '1.0.1', { artifacts: both('1.0.1') })).not.toHaveProperty(
    'preflight',
  )
  const found = { refusing: 2, findings: ['no_file'] }
  const artifacts = [exe('1.1.0')]
  const published = await publish(server, '1.1.0', { artifacts, rolloutPct: 5 })
  expect(published.preflight).toEqual(found)
  const raised = await serve(server, '1.1.0', { rolloutPct: 10 })
  expect(raised.body.release.preflight).toEqual(found)
  const plan = { steps: [{ rolloutPct: 100, soakHours: 1 }] }
  const planned = await serve(server, '1.1.0', { plan })
  expect(planned.body.release.preflight).toEqual(found)
  const draft = { app: 'editor', channel: 'stable', version: '1.2.0' }
  await server.call('PUT', '/api/v1/drafts', { body: { ...draft, artifacts } })
  const body = { ...draft, rolloutPct: 1 }
  const drafted = await server.call('POST', '/api/v1/drafts/publish', { body })
  expect(drafted.body.release.preflight).toEqual(found)
  const ramped = await cli(server.folder, 'ramp', 'editor', 'stable', '1.2.0', '20')
  expect(ramped.code).toBe(0)
  expect(ramped.stderr).toContain(
    'warning: 1.2.0: preflight warns (no_file); 2 known devices would not install it',
  )
})

test('a release that is published at once after its preflight is not judged again', async () => {
  const time = { now: START }
  const server = await startWithApp({}, undefined, { clock: () => time.now })
  await publish(server, '1.0.0', { artifacts: [exe('1.0.0'), exe('1.0.0', 'arm64')] })
  const arm = { platform: 'windows', arch: 'arm64', version: '1.0.0' }
  await devices(server, 2, arm)
  await setPolicy(server, { preflight: 'warn' })
  const noticed = async (version: string, wait: number) => {
    const draft = { app: 'editor', channel: 'stable', version }
    await server.call('PUT', '/api/v1/drafts', { body: { ...draft, artifacts: [exe(version)] } })
    const { refusing } = await preflight(server, version)
    await devices(server, refusing + 1, arm)
    time.now += wait
    const body = { ...draft, rolloutPct: 1 }
    const published = await server.call('POST', '/api/v1/drafts/publish', { body })
    expect(published.status, published.text).toBe(201)
    return published.body.release.preflight.refusing - refusing
  }
  expect(await noticed('1.1.0', 0)).toBe(0)
  expect(await noticed('1.2.0', 3 * 60_000)).toBe(1)
})
