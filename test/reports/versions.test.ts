import { describe, expect, test } from 'vitest'
import { artifact } from '../support/builders/releases.ts'
import { check, publish, startWith } from '../support/servers/calls.ts'
import { startWithApp, type TestServer } from '../support/servers/server.ts'

// Inputs of reports about other products: see README.md in this folder.

const offered = async (server: TestServer, version: string) =>
  (await check(server, version)).body?.version ?? null

const verdict = async ({ call }: TestServer, version: string) =>
  (await call('GET', `/api/v1/releases/editor/stable/${encodeURIComponent(version)}/check`)).body
    .verdict

test.each<[string, string[], [string, string | null][]]>([
  [
    'two pre-releases',
    ['0.0.1-beta.9'],
    [
      ['0.0.1-beta.10', null],
      ['0.0.1-beta.8', '0.0.1-beta.9'],
    ],
  ],
  [
    'the final one',
    ['4.1.0-alpha1', '4.1.0-beta1', '4.1.0-beta2', '4.1.0'],
    [
      ['4.1.0-beta2', '4.1.0'],
      ['4.1.0', null],
    ],
  ],
  ['a longer pre-release', ['1.0.0-rc8.1', '1.0.0-rc9'], [['1.0.0-rc8.1', '1.0.0-rc9']]],
  ['the same pre-release', ['1.0.0-alpha.2'], [['1.0.0-alpha.2', null]]],
  ['an older branch that is published later', ['1.4.0-b7', '1.3.5'], [['1.4.0-b6', '1.4.0-b7']]],
  [
    'builds',
    ['2.0.0-a.3+build.2', '2.0.0-a.3+build.10'],
    [['2.0.0-a.3+build.9', '2.0.0-a.3+build.10']],
  ],
])('versions are ordered as semantic versions: %s', async (_, published, expected) => {
  const server = await startWith(...published)
  for (const [running, version] of expected) expect(await offered(server, running)).toBe(version)
})

test('a check with something else in the place of the version is refused, and never a failure of the server', async () => {
  const server = await startWith('1.0.0')
  const wrong = [
    'latest',
    'untagged-a303cf707acdd4a51302',
    '4.1.4%22',
    'undefined',
    'null',
    'builtin',
  ]
  for (const version of [
    ...wrong,
    '1.0',
    '1.70',
    '2.4.11.1',
    '%20',
    '1.2.3-',
    '{{current_version}}',
  ]) {
    expect([version, (await check(server, version)).status]).toEqual([version, 400])
  }
  expect((await check(server, 'v0.9.0')).body.version).toBe('1.0.0')
})

test('a release that electron-updater would not install over a lower build is named before it is published', async () => {
  const server = await startWithApp()
  const windows = { platform: 'windows', arch: 'x86_64', url: 'https://a.example/Editor.exe' }
  await publish(server, '1.0.0+1', { artifacts: [artifact(windows)] })
  const same = { state: 'same_for_electron', version: '1.0.0+2', highest: '1.0.0+1' }
  expect(await verdict(server, '1.0.0+2')).toEqual(same)
  expect(await verdict(server, '1.0.1+1')).toMatchObject({ state: 'free' })
  await publish(server, '1.1.0+1', { artifacts: [artifact({ ...windows, signature: 'dW50' })] })
  expect(await verdict(server, '1.1.0+2')).toMatchObject({ state: 'free' })
})

describe('a release that Sparkle would not install over a lower one is named before it is published', () => {
  const signature = `${'A'.repeat(86)}==`
  const artifacts = [artifact({ kind: 'zip', url: 'https://a.example/Editor.zip', signature })]

  test.each([
    ['2026.2.15+202602150', '2026.2.24+14728', '202602150', '14728'],
    ['0.3.50+60', '0.3.51+60', '60', '60'],
    ['1.1.0-beta.2', '1.1.0', '1.1.0-beta.2', '1.1.0'],
  ])('%s, then %s', async (first, second, highestBuild, build) => {
    const server = await startWithApp()
    await publish(server, first, { artifacts })
    expect(await verdict(server, second)).toEqual({
      ...{ state: 'not_above_for_sparkle', version: second, highest: first },
      ...{ build, highestBuild },
    })
  })

  test('but not with a higher build, nor where no file is for Sparkle', async () => {
    const server = await startWithApp()
    await publish(server, '0.3.50+60')
    expect(await verdict(server, '0.3.51+60')).toMatchObject({ state: 'free' })
    await publish(server, '0.3.52+61', { artifacts })
    expect(await verdict(server, '0.3.53+62')).toMatchObject({ state: 'free' })
  })
})
