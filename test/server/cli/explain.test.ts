import { expect, test } from 'vitest'
import { setChannelPolicy } from '../../../src/server/catalog/channel-policy.ts'
import { ACTOR } from '../../support/builders/actor.ts'
import { DEVICE } from '../../support/builders/devices.ts'
import { artifact } from '../../support/builders/releases.ts'
import { cli, done, expectRefused, shown } from '../../support/processes/cli.ts'
import { publish, serve } from '../../support/servers/calls.ts'
import { request, startWithApp, type TestServer } from '../../support/servers/server.ts'

const ON_MAC = ['--platform', 'macos', '--arch', 'arm64']

function explain(server: TestServer, version: string, ...options: string[]): Promise<string> {
  const asked = ['device', 'explain', 'editor', 'stable', DEVICE, '--version', version]
  return done(server.folder, ...asked, ...ON_MAC, ...options)
}

test('explains every reason, with a line for each candidate', async () => {
  const server = await startWithApp()
  expect(await explain(server, '1.0.0')).toContain(
    'No update: editor/stable has no published releases.',
  )
  await publish(server, '1.0.0')
  expect(await explain(server, '1.0.0')).toContain(
    'No update: no version above 1.0.0 is published.',
  )
  await publish(server, '1.1.0', { rolloutPct: 0 })
  expect(await explain(server, '1.0.0')).toMatch(
    /No update: this device is not in the rollout of 1\.1\.0\.\n\nCANDIDATE {2}OUTCOME {9}REASON\n1\.1\.0 {6}not in rollout {2}not in the 0% rollout \(this device is at \d+\.\d\d%\)\n$/,
  )
  await publish(server, '1.2.0', { targets: { matchLabels: { ring: 'beta' } } })
  const untargeted = await explain(server, '1.0.0')
  expect(untargeted).toContain('No update: this device does not match the targets of 1.2.0.')
  expect(untargeted).toMatch(
    /1\.2\.0 +not targeted +label ring is not set\n1\.1\.0 +not in rollout/,
  )
  expect(await explain(server, '1.0.0', '--label', 'ring=beta')).toMatch(
    /labels ring=beta; channel editor\/stable\.\nUpdate offered: 1\.2\.0 \(optional\)\.\n/,
  )
  await publish(server, '1.3.0', { artifacts: [] })
  expect(await explain(server, '1.0.0')).toContain(
    'No update: 1.3.0 has no artifact for macos arm64.',
  )
  await serve(server, '1.3.0', { status: 'rolled_back' })
  expect(await explain(server, '1.3.0')).toContain(
    'Downgrade offered: 1.0.0 (optional), because 1.3.0 was rolled back.',
  )
})

test('explains what Sparkle is offered, by its build number and the system', async () => {
  const server = await startWithApp()
  const url = 'https://a.example/Editor.dmg'
  await publish(server, '1.0.0+260', { artifacts: [artifact({ url })] })
  const floor = [artifact({ url, minimumSystemVersion: '14.0' })]
  await publish(server, '1.1.0+250', { artifacts: floor })
  const asSparkle = (build: string, ...more: string[]) =>
    explain(server, build, '--client', 'sparkle', ...more)
  expect(await asSparkle('249', '--os', '13.6')).toMatch(
    /Update offered: 1\.0\.0\+260[\s\S]*1\.1\.0\+250 +system too old +needs macOS 14, and the device has macOS 13\.6/,
  )
  expect(await asSparkle('249', '--os', '14.1')).toContain('Update offered: 1.1.0+250')
  expect(await asSparkle('260')).toMatch(
    /would not install 1\.1\.0\+250 over 1\.0\.0\+260\.[\s\S]*not newer +to the updater, 250 is not above 260/,
  )
  expect(await explain(server, '1.0.0+260')).toContain('Update offered: 1.1.0+250')
  const asked = ['device', 'explain', 'editor', 'stable', DEVICE, ...ON_MAC]
  const { stderr } = await cli(server.folder, ...asked, '--version', '249')
  expect(stderr).toContain('semantic version')
})

test('explains which kinds of bundle a release has', async () => {
  const server = await startWithApp()
  const artifacts = ['pkg', 'dmg'].map((kind) => artifact({ kind }))
  await publish(server, '1.1.0', { artifacts })
  expect(await explain(server, '1.0.0')).toContain(
    'No update: 1.1.0 has only pkg and dmg for macos arm64, and the device does not name a bundle kind.',
  )
  expect(await explain(server, '1.0.0', '--bundle', 'zip')).toMatch(
    /on macos arm64 zip, .*\n.*has only pkg and dmg for macos arm64, not zip\./,
  )
  expect(await explain(server, '1.0.0', '--bundle', 'DMG')).toContain('Update offered: 1.1.0')
})

test('explains a known device as it was last seen and writes nothing', async () => {
  const server = await startWithApp()
  await setChannelPolicy(server.catalog, ACTOR, {
    ...{ app: 'editor', channel: 'stable' },
    change: { minimumSupportedVersion: '1.0.0' },
  })
  await publish(server, '1.1.0', { targets: { matchLabels: { ring: 'beta' } } })
  const item = { deviceId: DEVICE, version: '0.9.0', platform: 'darwin', arch: 'aarch64' }
  const body = { app: 'editor', devices: [{ ...item, labels: { ring: 'beta' } }] }
  await server.call('POST', '/api/v1/fleet/report', { body })

  const asked = ['device', 'explain', 'editor', 'stable', DEVICE]
  const explained = await shown(server.folder, ...asked)
  expect(explained).toEqual({
    app: 'editor',
    channel: 'stable',
    device: { known: true, ...item, bundle: '', labels: { ring: 'beta' } },
    reason: 'update',
    update: expect.objectContaining({ version: '1.1.0', updateMode: 'required' }),
    trace: [{ version: '1.1.0', outcome: 'offered', detail: 'rollout is 100%' }],
  })
  const removed = await shown(server.folder, ...asked, '--label', 'ring=', '--version', '1.0.0')
  expect(removed).toMatchObject({ reason: 'not_targeted', update: null })
  const { body: listed } = await server.call('GET', '/api/v1/releases')
  expect(listed.releases).toMatchObject([{ offered: false }])

  const headers = { 'X-Service-Device': DEVICE }
  const path = '/u/editor/stable/darwin/aarch64/0.9.0'
  const answered = await request(server.address + path, 'GET', { headers })
  expect(answered.body).toEqual(explained.update)
})

test('asks for unknown facts of a device', async () => {
  const server = await startWithApp()
  const stranger = await cli(server.folder, 'device', 'explain', 'editor', 'stable', 'stranger')
  expectRefused(stranger, 2, 'is unknown; specify --version, --platform and --arch')
  const body = { app: 'editor', devices: [{ deviceId: 'quiet', version: '1.0.0' }] }
  await server.call('POST', '/api/v1/fleet/report', { body })
  const quiet = await cli(server.folder, 'device', 'explain', 'editor', 'stable', 'quiet')
  expectRefused(quiet, 2, 'has no known platform and architecture')
  const unknown = await cli(server.folder, 'device', 'show', 'editor', 'stranger')
  expectRefused(unknown, 3, 'unknown device "stranger" of app "editor"')
})
