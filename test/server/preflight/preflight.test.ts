import { expect, test } from 'vitest'
import type { PreflightReport } from '../../../src/shared/releases/preflight.ts'
import { item } from '../../support/builders/devices.ts'
import { artifact } from '../../support/builders/releases.ts'
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
