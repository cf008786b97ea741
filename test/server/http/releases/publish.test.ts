import { expect, test } from 'vitest'
import { createApp, createChannel } from '../../../../src/server/catalog/apps.ts'
import { ACTOR } from '../../../support/builders/actor.ts'
import { artifact, publishBody, SHA512_BASE64 } from '../../../support/builders/releases.ts'
import { check, expectError, publish, RELEASES, shown } from '../../../support/servers/calls.ts'
import { startWithApp } from '../../../support/servers/server.ts'

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('a published release is answered with all its fields', async () => {
  const server = await startWithApp()
  const before = new Date().toISOString()
  const body = {
    app: 'editor',
    channel: 'stable',
    version: '1.1.0-rc.1',
    notes: '# News\n\n- ünïcode 🚀 and "quotes"',
    rolloutPct: 25,
    targets: {
      matchLabels: { ring: ['beta', 'internal'], 'site/room': 'a1' },
      matchExpressions: [
        { key: 'device.version', operator: 'VersionIn', values: ['>=1.0.0 <2', '3.x || 4.x'] },
        { key: 'legacy', operator: 'DoesNotExist' },
      ],
    },
    artifacts: [
      artifact({ size: 5_368_709_120, signature: 'untrusted comment: é\nRWQ=' }),
      artifact({ platform: 'Windows', arch: 'AMD64', sha512: SHA512_BASE64 }),
    ],
  }
  const answer = await server.call('POST', RELEASES, { body })
  const after = new Date().toISOString()
  expect(answer.status).toBe(201)
  const { release } = answer.body
  expect(release).toEqual({
    ...body,
    id: expect.stringMatching(UUID_V7),
    status: 'published',
    createdAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
    artifacts: [
      { ...body.artifacts[0], kind: '' },
      {
        ...artifact({ platform: 'windows', arch: 'amd64', sha512: SHA512_BASE64 }),
        kind: '',
        size: 0,
        signature: '',
      },
    ],
    offered: false,
  })
  expect(Object.keys(answer.body)).toEqual(['release'])
  expect(release.createdAt >= before && release.createdAt <= after).toBe(true)
  expect(await shown(server, '1.1.0-rc.1')).toEqual(release)
})

test('omitted members of a publish call have their defaults', async () => {
  const server = await startWithApp()
  const body = { app: 'editor', channel: 'stable', version: '1.0.0' }
  const { status, body: answer } = await server.call('POST', RELEASES, { body })
  expect(status).toBe(201)
  expect(answer.release).toMatchObject({
    notes: '',
    rolloutPct: 100,
    targets: { matchLabels: {}, matchExpressions: [] },
    status: 'published',
    offered: false,
    artifacts: [],
  })
  const { artifacts } = await publish(server, '1.0.1', { artifacts: [artifact()] })
  expect(artifacts).toEqual([artifact({ kind: '', size: 0, signature: '' })])
})

test('one leading v is dropped from a version and build metadata is kept', async () => {
  const server = await startWithApp()
  expect(await publish(server, 'v1.2.3+linux.007a')).toMatchObject({ version: '1.2.3+linux.007a' })
  const again = await server.call('POST', RELEASES, { body: publishBody('1.2.3+linux.007a') })
  expect(expectError(again, 409)).toContain('1.2.3+linux.007a')
})

test('versions that differ only in build metadata are two releases, and the higher is offered', async () => {
  const server = await startWithApp()
  const one = await publish(server, '1.2.3+1')
  const two = await publish(server, '1.2.3+2')
  expect(one.id).not.toBe(two.id)
  expect((await check(server, '1.2.3%2B1')).body.version).toBe('1.2.3+2')
  expect((await check(server, '1.2.3%2B2')).status).toBe(204)
})

test('the same app, channel and version is published once, and another channel may have it', async () => {
  const server = await startWithApp()
  await createChannel(server.catalog, ACTOR, { app: 'editor', name: 'beta' })
  const release = await publish(server, '1.0.0', { notes: 'first' })
  const body = publishBody('v1.0.0', { notes: 'second' })
  const message = expectError(await server.call('POST', RELEASES, { body }), 409)
  expect(message).toContain('1.0.0')
  expect(message).toContain('editor/stable')
  expect(message).toContain('already exists')
  expect(await shown(server, '1.0.0')).toEqual(release)
  await publish(server, '1.0.0', { channel: 'beta' })
})

test('of many concurrent publish calls for one version, exactly one succeeds', async () => {
  const server = await startWithApp()
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      server.call('POST', RELEASES, { body: publishBody('1.0.0', { notes: String(index) }) }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(11).fill(409)])
  const winner = answers.find(({ status }) => status === 201)
  expect(await shown(server, '1.0.0')).toEqual(winner?.body.release)
})

test('an app is named by its ref or its id, and answers show the ref', async () => {
  const server = await startWithApp()
  const { id } = await createApp(server.catalog, ACTOR, { ref: 'player' })
  expect(id).toMatch(UUID_V7)
  expect(await publish(server, '1.0.0', { app: id })).toMatchObject({ app: 'player' })
  const again = await server.call('POST', RELEASES, {
    body: publishBody('1.0.0', { app: 'player' }),
  })
  expect(expectError(again, 409)).toContain('player/stable')
  const change = { app: id, channel: 'stable', version: '1.0.0', status: 'paused' }
  const served = await server.call('PATCH', RELEASES, { body: change })
  expect(served.body.release).toMatchObject({ app: 'player', status: 'paused' })
})

test('a release without artifacts is allowed and never offered', async () => {
  const server = await startWithApp()
  await publish(server, '1.1.0')
  await publish(server, '2.0.0', { artifacts: [] })
  expect((await check(server, '1.0.0')).body.version).toBe('1.1.0')
  expect((await check(server, '1.1.0')).status).toBe(204)
  expect(await shown(server, '2.0.0')).toMatchObject({ artifacts: [], offered: false })
})

test('a release takes 64 artifacts, and a URL, sha512, size and signature come out as they went in', async () => {
  const server = await startWithApp()
  const artifacts = Array.from({ length: 64 }, (_, index) =>
    artifact({
      kind: index % 3 === 0 ? `kind-${index}` : '',
      arch: `arch-${index}`,
      url: `http://10.0.0.${index}:8080/My%20App.zip?x=1&y=%2B#z`,
      sha512: index % 2 === 0 ? SHA512_BASE64 : 'AB'.repeat(64),
      size: Number.MAX_SAFE_INTEGER,
      signature: `line\n\0${index}`,
    }),
  )
  expect((await publish(server, '1.0.0', { artifacts })).artifacts).toEqual(artifacts)
})

test('one artifact each of an exact arch and of any arch may stand side by side', async () => {
  const server = await startWithApp()
  const url = (name: string) => `https://downloads.example/${name}`
  const artifacts = [
    artifact({ arch: 'universal', url: url('fat') }),
    artifact({ platform: 'macos', arch: 'x64', url: url('intel') }),
  ]
  await publish(server, '1.0.0', { artifacts })
  const offer = async (arch: string) =>
    (await server.call('GET', `/u/editor/stable/osx/${arch}/0.9.0`, { key: null })).body.url
  expect(await offer('amd64')).toBe(url('intel'))
  expect(await offer('arm64')).toBe(url('fat'))
})

test('the body is read as JSON regardless of its content type', async () => {
  const server = await startWithApp()
  const answer = await server.call('POST', RELEASES, {
    body: publishBody('1.0.0'),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(answer.status).toBe(201)
})

test('a call that is repeated under its name is carried out once', async () => {
  const server = await startWithApp()
  const send = (name: string, version = '1.0.0') =>
    server.call('POST', RELEASES, {
      body: publishBody(version),
      headers: { 'Idempotency-Key': name },
    })
  const [first, second] = await Promise.all([send('one'), send('one')])
  expect([first.status, second.status]).toEqual([201, 201])
  expect(second.body).toEqual(first.body)
  expect((await send('two')).status).toBe(409)
  const other = await send('one', '1.1.0')
  expect(other).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('Idempotency-Key') },
  })
  expect((await send('x'.repeat(101), '1.1.0')).status).toBe(400)
})
