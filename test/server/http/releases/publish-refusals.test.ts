import { expect, test } from 'vitest'
import { artifact, publishBody } from '../../../support/builders/releases.ts'
import { expectError, RELEASES } from '../../../support/servers/calls.ts'
import { startWithApp, type TestServer } from '../../../support/servers/server.ts'

type Refusals = Readonly<Record<string, unknown>>

/** Publishes each body, and expects 400 with the message, and nothing published. */
async function expectRefused(
  server: TestServer,
  refusals: readonly (readonly [string, unknown])[],
) {
  for (const [message, body] of refusals) {
    const answer = await server.call('POST', RELEASES, { body })
    expect.soft(expectError(answer, 400)).toBe(message)
  }
  expect((await server.call('GET', RELEASES)).body.total).toBe(0)
}

const withMembers = (members: Refusals) => publishBody('1.0.0', members)
const withArtifact = (members: Refusals) =>
  publishBody('1.0.0', { artifacts: [artifact({ arch: 'x64' }), artifact(members)] })
const withTargets = (targets: unknown) => publishBody('1.0.0', { targets })

test('app, channel and version are required, and the message names all three', async () => {
  const server = await startWithApp()
  const whole = { app: 'editor', channel: 'stable', version: '1.0.0' }
  await expectRefused(server, [
    ['app: app, channel and version are required', {}],
    ['app: app, channel and version are required', { ...whole, app: undefined }],
    ['channel: app, channel and version are required', { ...whole, channel: null }],
    ['version: app, channel and version are required', { ...whole, version: '' }],
  ])
})

test('an invalid version is rejected with the reason', async () => {
  const server = await startWithApp()
  const hint = 'version: must be a semantic version such as 1.4.0 or 2.0.0-rc.1'
  const none = ['1', '1.2', '1.2.3.4.5', '01.2.3', '1.2.3-01', '1.2.3-', '1.2.3+', 'vv1.2.3']
  const odd = ['V1.2.3', ' 1.2.3', '1.2.3 ', '1.2.3\n', '1.2.3-ä', 'latest', '=1.2.3', '1.2.3+a+b']
  await expectRefused(server, [
    ...[...none, ...odd].map((version) => [hint, publishBody(version)] as const),
    [`${hint}; write 1.2.3.4 as 1.2.3+4`, publishBody('1.2.3.4')],
    ['version: must be a string', withMembers({ version: 1 })],
    [
      'version: has a major, minor or patch number above 9007199254740991',
      publishBody('1.9007199254740992.0'),
    ],
    [
      'version: has a pre-release number above 9007199254740991',
      publishBody('1.0.0-9007199254740992'),
    ],
    [
      'version: has a number with leading zeros in its build metadata',
      publishBody('1.0.0+build.007'),
    ],
    ['version: must be at most 256 characters', publishBody(`1.0.0-${'a'.repeat(251)}`)],
  ])
})

test('the largest numbers and the longest version are taken', async () => {
  const server = await startWithApp()
  const longest = `1.0.0-${'a'.repeat(250)}`
  for (const version of ['9007199254740991.0.0-9007199254740991', '1.0.0+0.10.a01', longest]) {
    const answer = await server.call('POST', RELEASES, { body: publishBody(version) })
    expect(answer.status).toBe(201)
    expect(answer.body.release.version).toBe(version)
  }
})

test('a member that is not known is refused by its name', async () => {
  const server = await startWithApp()
  await expectRefused(server, [
    ['rolloutPercent: is not a known member', withMembers({ rolloutPercent: 5 })],
    ['status: is not a known member', withMembers({ status: 'paused' })],
    ['artifacts.1.filename: is not a known member', withArtifact({ filename: 'x' })],
    ['targets.labels: is not a known member', withTargets({ labels: {} })],
    [
      'targets.matchExpressions.0.value: is not a known member',
      withTargets({ matchExpressions: [{ key: 'a', operator: 'Exists', value: 'b' }] }),
    ],
  ])
})

test('members of the wrong kind or range are refused', async () => {
  const server = await startWithApp()
  const channel =
    'channel: must be 1 to 63 lower-case letters, digits, dots, underscores and hyphens, and start with a letter or digit'
  const whole = 'rolloutPct: must be a whole number from 0 to 100'
  await expectRefused(server, [
    ['app: must be a string', withMembers({ app: 7 })],
    ['app: must be at most 128 characters', withMembers({ app: 'a'.repeat(129) })],
    [channel, withMembers({ channel: 'Stable' })],
    [channel, withMembers({ channel: '-stable' })],
    [channel, withMembers({ channel: 'a'.repeat(64) })],
    ['notes: must be a string', withMembers({ notes: null })],
    ['notes: must be at most 64 KiB of UTF-8', withMembers({ notes: 'n'.repeat(65_537) })],
    ['notes: must be at most 64 KiB of UTF-8', withMembers({ notes: '🚀'.repeat(16_385) })],
    [whole, withMembers({ rolloutPct: 101 })],
    [whole, withMembers({ rolloutPct: -1 })],
    ['rolloutPct: must be a whole number', withMembers({ rolloutPct: 1.5 })],
    ['rolloutPct: must be a number', withMembers({ rolloutPct: '50' })],
    ['rolloutPct: must be a number', withMembers({ rolloutPct: null })],
  ])
})

test('an artifact that a client could not use is refused by its place in the list', async () => {
  const server = await startWithApp()
  const url = 'artifacts.1.url: must be an absolute http or https address'
  const encoded = 'artifacts.1.url: must be percent-encoded, without spaces'
  const sha512 =
    'artifacts.1.sha512: must be a SHA-512: 128 hexadecimal digits, or 64 bytes in base64'
  const token =
    'must be 1 to 64 letters, digits, dots, underscores and hyphens, and start with a letter or digit'
  await expectRefused(server, [
    ['artifacts: must be an array', withMembers({ artifacts: {} })],
    ['artifacts.0: must be an object', withMembers({ artifacts: ['x'] })],
    ['artifacts.1.platform: is required', withArtifact({ platform: undefined })],
    ['artifacts.1.arch: is required', withArtifact({ arch: undefined })],
    ['artifacts.1.url: is required', withArtifact({ url: undefined })],
    ['artifacts.1.sha512: is required', withArtifact({ sha512: undefined })],
    [`artifacts.1.platform: ${token}`, withArtifact({ platform: 'mac os' })],
    [`artifacts.1.arch: ${token}`, withArtifact({ arch: '' })],
    [`artifacts.1.kind: ${token}`, withArtifact({ kind: 'app image' })],
    ['artifacts.1.kind: must be a string', withArtifact({ kind: null })],
    [url, withArtifact({ url: '/files/editor.zip' })],
    [url, withArtifact({ url: '//downloads.example/editor.zip' })],
    [url, withArtifact({ url: 'editor.zip' })],
    [url, withArtifact({ url: 'ftp://downloads.example/editor.zip' })],
    [url, withArtifact({ url: 'file:///editor.zip' })],
    [url, withArtifact({ url: 'https://' })],
    [encoded, withArtifact({ url: 'https://downloads.example/My App.zip' })],
    [encoded, withArtifact({ url: 'https://downloads.example/é.zip' })],
    [sha512, withArtifact({ sha512: 'ab'.repeat(63) })],
    [sha512, withArtifact({ sha512: `${'ab'.repeat(63)}xy` })],
    [sha512, withArtifact({ sha512: Buffer.alloc(63, 1).toString('base64') })],
    [sha512, withArtifact({ sha512: Buffer.alloc(64, 255).toString('base64url') })],
    ['artifacts.1.size: must not be negative', withArtifact({ size: -1 })],
    ['artifacts.1.size: must be a whole number', withArtifact({ size: 1.5 })],
    ['artifacts.1.size: must be a number', withArtifact({ size: '1' })],
    ['artifacts.1.signature: must be a string', withArtifact({ signature: null })],
  ])
})

test('a size beyond the numbers that JSON clients read exactly is refused', async () => {
  const server = await startWithApp()
  const body = withArtifact({ size: Number.MAX_SAFE_INTEGER + 1 })
  const answer = await server.call('POST', RELEASES, { body })
  expect(expectError(answer, 400)).toMatch(/^artifacts\.1\.size: /)
})

test('two artifacts for one platform, arch and kind are refused, also under other names', async () => {
  const server = await startWithApp()
  const twins = [
    [artifact(), artifact()],
    [
      artifact({ platform: 'macos', arch: 'arm64' }),
      artifact({ platform: 'darwin', arch: 'aarch64' }),
    ],
    [
      artifact({ platform: 'win32', arch: 'x64' }),
      artifact({ platform: 'windows', arch: 'amd64' }),
    ],
    [artifact({ platform: 'linux', arch: 'i386' }), artifact({ platform: 'linux', arch: 'x86' })],
    [artifact({ arch: 'universal' }), artifact({ arch: 'any' })],
    [artifact({ kind: 'DMG' }), artifact({ platform: 'mac', arch: 'arm64', kind: 'dmg' })],
  ]
  for (const artifacts of twins) {
    const answer = await server.call('POST', RELEASES, { body: withMembers({ artifacts }) })
    expect(expectError(answer, 400)).toMatch(/^artifacts\.1: duplicate artifact for /)
  }
})

test('a 65th artifact is refused', async () => {
  const server = await startWithApp()
  const artifacts = Array.from({ length: 65 }, (_, index) => artifact({ arch: `arch-${index}` }))
  await expectRefused(server, [
    ['artifacts: must hold at most 64 artifacts', withMembers({ artifacts })],
  ])
})

test('ambiguous targets are rejected with their path', async () => {
  const server = await startWithApp()
  const withExpression = (expression: unknown) =>
    withTargets({
      matchExpressions: [{ key: 'ring', operator: 'In', values: ['beta'] }, expression],
    })
  const at = 'targets.matchExpressions.1'
  const key =
    'is not a label key: 1 to 63 letters, digits, dots, underscores, slashes and hyphens, starting with a letter or digit'
  await expectRefused(server, [
    ['targets: must be an object', withTargets([])],
    ['targets: must be an object', withTargets(null)],
    ['targets.matchLabels: must be an object', withTargets({ matchLabels: ['a'] })],
    [`targets.matchLabels.a b: ${key}`, withTargets({ matchLabels: { 'a b': 'c' } })],
    [
      'targets.matchLabels.ring: must be a string or an array of strings',
      withTargets({ matchLabels: { ring: 1 } }),
    ],
    ['targets.matchLabels.ring: must not be empty', withTargets({ matchLabels: { ring: '' } })],
    ['targets.matchLabels.ring: must name a value', withTargets({ matchLabels: { ring: [] } })],
    [
      'targets.matchLabels.ring.1: must not be empty',
      withTargets({ matchLabels: { ring: ['beta', ''] } }),
    ],
    ['targets.matchExpressions: must be an array', withTargets({ matchExpressions: {} })],
    [`${at}.key: is required`, withExpression({ operator: 'Exists' })],
    [`${at}.key: ${key}`, withExpression({ key: '.a', operator: 'Exists' })],
    [
      `${at}.operator: must be one of In, NotIn, Exists, DoesNotExist, VersionIn`,
      withExpression({ key: 'a', operator: 'Gt', values: ['1'] }),
    ],
    [`${at}.values: is required by In`, withExpression({ key: 'a', operator: 'In' })],
    [
      `${at}.values: is required by NotIn`,
      withExpression({ key: 'a', operator: 'NotIn', values: [] }),
    ],
    [
      `${at}.values: must be left out with Exists`,
      withExpression({ key: 'a', operator: 'Exists', values: ['b'] }),
    ],
    [
      `${at}.values.1: is not a version range`,
      withExpression({ key: 'device.version', operator: 'VersionIn', values: ['^1.2', 'newest'] }),
    ],
    [
      `${at}.values.0: is not a version range`,
      withExpression({ key: 'firmware', operator: 'VersionIn', values: ['>=1.2.3.4'] }),
    ],
    [
      'targets.matchExpressions: must hold at most 64 expressions',
      withTargets({ matchExpressions: Array(65).fill({ key: 'a', operator: 'Exists' }) }),
    ],
  ])
})

test('targets that would cost too much to prepare are refused, and the largest are taken', async () => {
  const server = await startWithApp()
  const many = (count: number) => Array.from({ length: count }, (_, index) => `v${index}`)
  const among = (values: readonly string[]) => ({ key: 'a', operator: 'In', values })
  const within = (values: readonly string[]) => ({ key: 'a', operator: 'VersionIn', values })
  const labels = (count: number) => Object.fromEntries(many(count).map((key) => [key, 'x']))
  const ranges =
    'targets: must hold at most 64 version ranges (alternatives of || count separately) and 2048 characters in total'
  const values = 'targets: must hold at most 1024 values in total'
  const fourTimes = Array(4).fill(among(many(256)))
  const wide = `1.0.0-${'x'.repeat(240)}`
  await expectRefused(server, [
    [
      'targets.matchLabels: must hold at most 64 labels, the limit of a device',
      withTargets({ matchLabels: labels(65) }),
    ],
    [values, withTargets({ matchExpressions: [...fourTimes, among(['x'])] })],
    [values, withTargets({ matchLabels: { x: 'y' }, matchExpressions: fourTimes })],
    [ranges, withTargets({ matchExpressions: [within(Array(65).fill('1'))] })],
    [
      ranges,
      withTargets({ matchExpressions: [within(['1']), within([Array(64).fill('1').join('||')])] }),
    ],
    [ranges, withTargets({ matchExpressions: [within(Array(9).fill(wide))] })],
  ])
  const largest = [
    { matchLabels: labels(64) },
    { matchExpressions: fourTimes },
    { matchExpressions: [within(Array(64).fill('1'))] },
    { matchExpressions: [within([Array(64).fill('1').join('||')])] },
    { matchExpressions: [within(Array(8).fill(wide))] },
  ]
  for (const [index, targets] of largest.entries()) {
    const body = publishBody(`1.${index}.0`, { targets })
    expect((await server.call('POST', RELEASES, { body })).status).toBe(201)
  }
})

test('an unknown app and an unknown channel answer 404', async () => {
  const server = await startWithApp()
  const refuse = async (members: Refusals) =>
    expectError(await server.call('POST', RELEASES, { body: withMembers(members) }), 404)
  expect(await refuse({ app: 'viewer' })).toBe('unknown app "viewer"')
  expect(await refuse({ app: '0190a5d0-0000-7000-8000-000000000000' })).toContain('unknown app')
  expect(await refuse({ channel: 'beta' })).toBe('unknown channel "beta" of app "editor"')
})
