import { expect, test } from 'vitest'
import { artifact } from '../../../support/builders/releases.ts'
import { check, expectError, publish, RELEASES } from '../../../support/servers/calls.ts'
import { MANIFEST_MEMBERS } from '../../../support/servers/fleet-calls.ts'
import { startWithApp } from '../../../support/servers/server.ts'

const DETAILS = {
  minimumSystemVersion: '23.1.0',
  isAdminRightsRequired: false,
  blockMapSize: 86_623,
  extra: {
    updater: 'electron',
    file: { vendor: null },
    manifest: { releaseName: 'Été', 'a key': [1, { on: true }], __proto: 1 },
  },
}

test('what a manifest says of a file is kept with its release, and shown to keys alone', async () => {
  const server = await startWithApp()
  const { artifacts } = await publish(server, '1.0.0', { artifacts: [artifact(DETAILS)] })
  expect(artifacts).toMatchObject([DETAILS])
  const shown = await server.call('GET', '/api/v1/releases/editor/stable/1.0.0')
  expect(shown.body.release.artifacts).toEqual(artifacts)
  const offered = await check(server, '0.9.0')
  expect(Object.keys(offered.body).sort()).toEqual([...MANIFEST_MEMBERS].sort())
  const feed = await server.call('GET', '/feed/editor/stable', { key: null })
  expect(Object.keys(feed.body.releases[0].artifacts[0]).sort()).toEqual(
    ['arch', 'platform', 'sha512', 'signature', 'size', 'url'].sort(),
  )
})

test('an artifact that says nothing has no members for that', async () => {
  const server = await startWithApp()
  const { artifacts } = await publish(server, '1.0.0')
  const [shown] = artifacts
  expect(Object.keys(shown ?? {}).filter((name) => name in DETAILS)).toEqual([])
})

const electron = (parts: object) => ({ extra: { updater: 'electron', ...parts } })
const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)])

test.each([
  [{ minimumSystemVersion: 'mac os' }, 'minimumSystemVersion: must be 1 to 64 printable'],
  [{ blockMapSize: 0 }, 'blockMapSize: must be at least 1'],
  [{ isAdminRightsRequired: 'yes' }, 'isAdminRightsRequired: '],
  [{ extra: { updater: 'hazel' } }, 'extra.updater: '],
  [electron({ manifest: { stagingPercentage: 10 } }), 'extra: must not hold stagingPercentage'],
  [electron({ manifest: { version: '9.9.9' } }), 'extra: must not hold version'],
  [electron({ manifest: { releaseNotes: 'text' } }), 'extra: must not hold releaseNotes unless'],
  [electron({ file: { url: 'https://b.example' } }), 'extra: must not hold url'],
  [electron({ file: { a: deep(20) } }), 'extra: must hold at most 16 objects'],
  [electron({ file: { a: deep(1_000) } }), 'extra: must hold at most 16 objects'],
  [electron({ file: { a: 'x'.repeat(65_536) } }), 'extra: must be at most 64 KiB'],
])('%# is refused', async (details, reason) => {
  const server = await startWithApp()
  const body = {
    ...{ app: 'editor', channel: 'stable', version: '1.0.0' },
    artifacts: [artifact(details)],
  }
  const refused = await server.call('POST', RELEASES, { body })
  expect(expectError(refused, 400)).toContain(`artifacts.0.${reason}`)
})
