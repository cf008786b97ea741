import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../../../../src/shared/releases/channel.ts'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import { auditOf, expectError, setPolicy } from '../../../support/servers/calls.ts'
import { type CallOptions, startWithApp, type TestServer } from '../../../support/servers/server.ts'

const CHANNELS = '/api/v1/channels'
const EARLY = {
  deviceIds: ['one'],
  targets: [{ matchLabels: { ring: 'beta' }, matchExpressions: [] }],
}

function change(
  server: TestServer,
  members: Readonly<Record<string, unknown>>,
  options: CallOptions = {},
) {
  const body = { app: 'editor', channel: 'stable', ...members }
  return server.call('PATCH', CHANNELS, { body, ...options })
}

const shown = async (server: TestServer) =>
  (await server.call('GET', `${CHANNELS}/editor/stable`)).body.channel

test('a channel is shown with its policy, by the ref and by the ID of the app', async () => {
  const server = await startWithApp()
  const channel = await shown(server)
  expect(channel).toMatchObject({ app: 'editor', channel: 'stable', policy: DEFAULT_POLICY })
  const id = server.catalog.snapshot.appByName.get('editor')?.record.id
  const same = await server.call('GET', `${CHANNELS}/${id}/stable`)
  expect(same.body.channel).toEqual(channel)
  expectError(await server.call('GET', `${CHANNELS}/editor/beta`), 404)
})

describe('a change of a channel', () => {
  test('replaces what it names, and is in the audit log with the key', async () => {
    const server = await startWithApp()
    const listed = await change(server, { earlyAccess: EARLY })
    expect(listed.status).toBe(200)
    expect(listed.body.channel.policy).toEqual({ ...DEFAULT_POLICY, earlyAccess: EARLY })
    await change(server, { manualChecks: true })
    const policy = { ...DEFAULT_POLICY, earlyAccess: EARLY, manualChecks: true }
    expect((await shown(server)).policy).toEqual(policy)
    const entries = await auditOf(server, 'channel.policy_changed')
    expect(entries).toMatchObject([
      { actor: { kind: 'key' }, before: DEFAULT_POLICY, after: { earlyAccess: EARLY } },
      { before: { manualChecks: false }, after: { manualChecks: true } },
    ])
    await change(server, { manualChecks: true })
    expect(await auditOf(server, 'channel.policy_changed')).toHaveLength(2)
  })

  test('is refused if the channel changed since it was seen', async () => {
    const server = await startWithApp()
    const { lastChange: seenChange } = await shown(server)
    expect((await change(server, { earlyAccess: EARLY, seenChange })).status).toBe(200)
    expectError(await change(server, { manualChecks: true, seenChange }), 422)
    const { lastChange } = await shown(server)
    expect((await change(server, { manualChecks: true, seenChange: lastChange })).status).toBe(200)
  })

  test.each([
    ['nothing', {}, /^body: give at least one of earlyAccess and manualChecks/],
    ['another part of the policy', { rollback: 'downgrade' }, /rollback/],
    ['half a list', { earlyAccess: { deviceIds: [] } }, /^earlyAccess\.targets/],
    [
      'targets of all devices',
      { earlyAccess: { deviceIds: [], targets: [{}] } },
      /^earlyAccess\.targets\.0: must have a condition/,
    ],
    [
      'a malformed range',
      {
        earlyAccess: {
          deviceIds: [],
          targets: [
            { matchExpressions: [{ key: 'schema', operator: 'VersionIn', values: ['one'] }] },
          ],
        },
      },
      /^earlyAccess\.targets\.0\.matchExpressions\.0\.values\.0: /,
    ],
  ])('is refused with %s', async (_what, members, message) => {
    const server = await startWithApp()
    expect(expectError(await change(server, members), 400)).toMatch(message)
    expect((await shown(server)).policy).toEqual(DEFAULT_POLICY)
  })

  test('needs a key that bypasses approval if the channel requires it', async () => {
    const server = await startWithApp()
    await setPolicy(server, { requireApproval: true })
    expectError(await change(server, { earlyAccess: EARLY }), 403)
    const bypass = { name: 'ci', bypassApproval: true }
    const { secret } = await server.updates.mintKey(PRINCIPAL, bypass)
    expect((await change(server, { earlyAccess: EARLY }, { key: secret })).status).toBe(200)
  })

  test('needs the scope, and reading another', async () => {
    const server = await startWithApp()
    const key = await server.mint({ scopes: ['read'] })
    expectError(await change(server, { manualChecks: true }, { key }), 403)
    const other = await server.mint({ scopes: ['serve'] })
    expectError(await server.call('GET', `${CHANNELS}/editor/stable`, { key: other }), 403)
  })
})
