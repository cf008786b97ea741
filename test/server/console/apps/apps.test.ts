import { expect, test } from 'vitest'
import { publishBody } from '../../../support/builders/releases.ts'
import { auditOf, check, expectError, publish, RELEASES } from '../../../support/servers/calls.ts'
import { failureOf, startConsole } from '../../../support/servers/console.ts'
import { offeredTo, report } from '../../../support/servers/fleet-calls.ts'

const POLICY = {
  ...{ updateMode: 'optional', minimumSupportedVersion: '0.0.0', rollback: 'downgrade' },
  requireApproval: false,
}

test('creates apps and channels, renames them, and sets policies that devices follow', async () => {
  const { server, console } = await startConsole()
  await console.channels.create({ app: 'editor', name: 'beta' })
  const renamed = await console.apps.rename({ ref: 'editor', name: 'Editor Pro' })
  expect(renamed).toMatchObject({ ref: 'editor', name: 'Editor Pro', archived: false, devices: 0 })
  await publish(server, '1.0.0', { channel: 'beta' })
  const place = { app: 'editor', channel: 'beta' }
  await console.channels.setPolicy({ ...place, policy: { updateMode: 'required' } })
  await report(server, [{ deviceId: 'a', version: '1.0.0' }])
  const [app, ...others] = await console.apps.list()
  expect(others).toEqual([])
  expect(app).toMatchObject({
    devices: 1,
    channels: [
      { name: 'stable', policy: POLICY, releases: 0, served: 0 },
      { name: 'beta', policy: { ...POLICY, updateMode: 'required' }, releases: 1, served: 1 },
    ],
  })
  const { body } = await check(server, '0.9.0', { channel: 'beta' })
  expect(body.updateMode).toBe('required')
  expect((await auditOf(server)).map(({ action, actor }) => `${action} ${actor.kind}`)).toEqual([
    'key.minted command_line',
    'app.created console',
    'channel.created console',
    'app.renamed console',
    'release.published key',
    'channel.policy_changed console',
  ])
})

test('rejects names that are taken, unknown or empty', async () => {
  const { console } = await startConsole()
  const taken = await failureOf(console.apps.create({ ref: 'editor', name: 'Again' }))
  expect(taken).toEqual({ code: 'duplicate', message: 'App "editor" already exists.' })
  expect(await failureOf(console.channels.create({ app: 'editor', name: 'stable' }))).toMatchObject(
    {
      code: 'duplicate',
    },
  )
  expect(await failureOf(console.apps.rename({ ref: 'nope', name: 'x' }))).toMatchObject({
    code: 'unknown',
  })
  const blank = { ref: 'other', name: '  ' }
  expect(await failureOf(console.apps.create(blank), blank)).toEqual({
    code: 'invalid',
    message: 'Name: must not be empty.',
  })
})

test('an archived app is not served, nor its keys, and comes back as it was', async () => {
  const { server, console } = await startConsole()
  await publish(server, '1.0.0')
  await report(server, [{ deviceId: 'a', version: '0.9.0' }])
  const bound = await server.mint({ app: 'editor' })
  const list = (path: string) => server.call('GET', `${RELEASES}${path}`, { key: bound })
  expect(await offeredTo(server, '0.9.0')).toBe('1.0.0')

  expect(await console.apps.setArchived({ ref: 'editor', archived: true })).toMatchObject({
    archived: true,
    devices: 1,
  })
  const unknown = 'unknown app "editor"'
  expect(expectError(await check(server, '0.9.0'), 404)).toBe(unknown)
  expect(expectError(await server.call('GET', '/feed/editor/stable'), 404)).toBe(unknown)
  expect(expectError(await list(''), 404)).toBe(unknown)
  expect(expectError(await list('?app=editor'), 404)).toBe(unknown)
  expect((await server.call('GET', RELEASES)).body).toMatchObject({ releases: [], total: 0 })
  expectError(await server.call('GET', `${RELEASES}?channel=stable`), 404)
  expectError(await server.call('POST', RELEASES, { body: publishBody('2.0.0') }), 404)
  expect((await report(server, [{ deviceId: 'a', version: '1.0.0' }])).status).toBe(404)
  expect(await failureOf(console.releases.publish(publishBody('2.0.0')))).toEqual({
    code: 'invariant',
    message: 'App "editor" is archived; restore it first.',
  })

  await console.apps.setArchived({ ref: 'editor', archived: false })
  expect(await offeredTo(server, '0.9.0')).toBe('1.0.0')
  expect((await list('')).body.total).toBe(1)
  const actions = (await auditOf(server)).map(({ action }) => action)
  expect(actions.slice(-2)).toEqual(['app.archived', 'app.restored'])
})

test('connects an app with texts that hold its address, for each address', async () => {
  const { server, console } = await startConsole()
  const { addresses, snippets } = await console.apps.connect({ app: 'editor', channel: 'stable' })
  expect(addresses).toEqual([{ url: server.address, reach: 'this_machine' }])
  const textOf = (id: string) => snippets.find((snippet) => snippet.id === id)?.text ?? ''
  const { updater } = JSON.parse(textOf('tauri_configuration')).plugins
  expect(updater).toMatchObject({
    endpoints: [
      `${server.address}/u/editor/stable/{{target}}/{{arch}}/{{current_version}}?bundle={{bundle_type}}`,
    ],
    dangerousInsecureTransportProtocol: true,
  })
  const url = /http\S+$/.exec(textOf('try').trim())?.[0] ?? ''
  expect((await fetch(url)).status).toBe(204)
  const withAddress = [
    ...['electron_configuration', 'electron_updater', 'electron_squirrel'],
    ...['sparkle_configuration', 'velopack', 'other', 'publish'],
  ]
  for (const id of withAddress) expect(textOf(id), id).toContain(server.address)
  expect(await failureOf(console.apps.connect({ app: 'editor', channel: 'x' }))).toMatchObject({
    code: 'unknown',
  })
})
