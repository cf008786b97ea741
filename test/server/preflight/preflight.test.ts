import { expect, test } from 'vitest'
import type { PreflightReport } from '../../../src/shared/preflight.ts'
import { item } from '../../support/builders/devices.ts'
import { artifact } from '../../support/builders/releases.ts'
import { cli } from '../../support/processes/cli.ts'
import { publish, RELEASES } from '../../support/servers/calls.ts'
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
