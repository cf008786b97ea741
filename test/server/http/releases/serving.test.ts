import { expect, test } from 'vitest'
import { publishBody } from '../../../support/builders/releases.ts'
import {
  check,
  expectError,
  publish,
  RELEASES,
  serve,
  shown,
} from '../../../support/servers/calls.ts'
import { startWithApp } from '../../../support/servers/server.ts'

const BETA = { matchLabels: { ring: 'beta' }, matchExpressions: [] }

test('rollout, pause, resume and rollback take effect immediately', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0')
  const release = await publish(server, '2.0.0', { rolloutPct: 0 })
  const offered = async () => (await check(server, '0.9.0')).body.version

  expect(await offered()).toBe('1.0.0')
  const ramped = await serve(server, '2.0.0', { rolloutPct: 100 })
  expect(ramped.status).toBe(200)
  expect(ramped.body).toEqual({ release: { ...release, rolloutPct: 100 } })
  expect(await offered()).toBe('2.0.0')
  const paused = await serve(server, '2.0.0', { status: 'paused' })
  expect(paused.body.release).toEqual({
    ...release,
    rolloutPct: 100,
    offered: true,
    status: 'paused',
  })
  expect(await offered()).toBe('1.0.0')
  const resumed = await serve(server, '2.0.0', { status: 'published' })
  expect(resumed.body.release.status).toBe('published')
  expect(await offered()).toBe('2.0.0')
  const rolledBack = await serve(server, '2.0.0', { status: 'rolled_back' })
  expect(rolledBack.body.release.status).toBe('rolled_back')
  expect(await offered()).toBe('1.0.0')
  expect((await check(server, '2.0.0')).body).toMatchObject({
    version: '1.0.0',
    allowDowngrade: true,
  })
  expect(await shown(server, '2.0.0')).toEqual(rolledBack.body.release)
})

test('a paused release can be rolled back', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0')
  await serve(server, '1.0.0', { status: 'paused' })
  const answer = await serve(server, '1.0.0', { status: 'rolled_back' })
  expect(answer.body.release.status).toBe('rolled_back')
})

test('one call changes targets, rollout and status together', async () => {
  const server = await startWithApp()
  const release = await publish(server, '1.0.0', { rolloutPct: 10, targets: BETA })
  const change = {
    targets: { matchLabels: { ring: ['beta', 'internal'] }, matchExpressions: [] },
    rolloutPct: 20,
    status: 'paused',
  }
  const answer = await serve(server, 'v1.0.0', change)
  expect(answer.body.release).toEqual({ ...release, ...change })
})

test('a call without any of the three parts is rejected, and 0% is a part', async () => {
  const server = await startWithApp()
  const release = await publish(server, '1.0.0')
  expect(expectError(await serve(server, '1.0.0', {}), 400)).toBe(
    'body: give at least one of targets, rolloutPct and status, or plan',
  )
  const answer = await serve(server, '1.0.0', { rolloutPct: 0 })
  expect(answer.status).toBe(200)
  expect(answer.body.release).toEqual({ ...release, rolloutPct: 0 })
})

test('a part that changes nothing passes, on an offered and on a rolled-back release too', async () => {
  const server = await startWithApp()
  const targets = {
    matchLabels: { ring: ['beta', 'internal'] },
    matchExpressions: [
      { key: 'site', operator: 'NotIn', values: ['a', 'b'] },
      { key: 'device.arch', operator: 'Exists' },
    ],
  }
  await publish(server, '1.0.0', { targets })
  expect((await check(server, '0.9.0', { query: '?l.ring=beta' })).status).toBe(200)
  const release = await shown(server, '1.0.0')
  const reordered = {
    matchLabels: { ring: ['internal', 'beta', 'internal'] },
    matchExpressions: [
      { key: 'device.arch', operator: 'Exists', values: [] },
      { key: 'site', operator: 'NotIn', values: ['b', 'a'] },
    ],
  }
  const same = { targets: reordered, rolloutPct: 100 }
  const passed = await serve(server, '1.0.0', { ...same, status: 'published' })
  expect(passed.body).toEqual({ release })
  await serve(server, '1.0.0', { status: 'rolled_back' })
  const again = await serve(server, '1.0.0', { ...same, status: 'rolled_back' })
  expect(again.status).toBe(200)
  expect(again.body).toEqual({ release: { ...release, status: 'rolled_back' } })
  // Whoever does not name the status believes that the release is served.
  for (const part of [{ rolloutPct: 100 }, { targets }, same]) {
    expect((await serve(server, '1.0.0', part)).status).toBe(409)
  }
})

test('rolled_back is final: every change of it is refused and nothing is changed', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0', { rolloutPct: 50 })
  await serve(server, '1.0.0', { status: 'rolled_back' })
  const release = await shown(server, '1.0.0')
  for (const change of [
    { status: 'published' },
    { status: 'paused' },
    { rolloutPct: 60 },
    { rolloutPct: 40 },
    { targets: BETA },
    { rolloutPct: 60, status: 'rolled_back' },
    { rolloutPct: 50, status: 'published' },
  ]) {
    const message = expectError(await serve(server, '1.0.0', change), 409)
    expect(message).toBe('release 1.0.0 was rolled back and cannot be served again')
    expect(await shown(server, '1.0.0')).toEqual(release)
  }
})

test('an unknown release is answered with 404', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0+1')
  const refuse = async (members: Readonly<Record<string, unknown>>) =>
    expectError(await serve(server, '1.0.0+1', { rolloutPct: 5, ...members }), 404)
  expect(await refuse({ app: 'viewer' })).toBe('unknown app "viewer"')
  expect(await refuse({ channel: 'beta' })).toBe('unknown channel "beta" of app "editor"')
  expect(await refuse({ version: '1.0.0' })).toBe('unknown release 1.0.0 of editor/stable')
  expect(await refuse({ version: '1.0.0+2' })).toBe('unknown release 1.0.0+2 of editor/stable')
})

test('a change that makes no sense is refused by the path of its first issue', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0')
  const release = await shown(server, '1.0.0')
  const range = { key: 'device.version', operator: 'VersionIn', values: ['1.x', 'soon'] }
  const refusals = [
    ['app: is required', { app: undefined, rolloutPct: 5 }],
    ['channel: is required', { channel: undefined, rolloutPct: 5 }],
    [
      'version: must be a semantic version such as 1.4.0 or 2.0.0-rc.1',
      { version: '1', rolloutPct: 5 },
    ],
    ['rolloutPct: must be a whole number from 0 to 100', { rolloutPct: 101 }],
    ['rolloutPct: must be a number', { rolloutPct: '5' }],
    ['status: must be one of published, paused, rolled_back', { status: 'resumed' }],
    ['notes: is not a known member', { rolloutPct: 5, notes: 'new' }],
    ['artifacts: is not a known member', { rolloutPct: 5, artifacts: [] }],
    ['targets.matchLabels.ring: must not be empty', { targets: { matchLabels: { ring: '' } } }],
    [
      'targets.matchExpressions.0.values.1: is not a version range',
      { targets: { matchExpressions: [range] } },
    ],
  ] as const
  for (const [message, change] of refusals) {
    expect.soft(expectError(await serve(server, '1.0.0', change), 400)).toBe(message)
  }
  expect(await shown(server, '1.0.0')).toEqual(release)
})

test('nothing but how it is served ever changes of a release', async () => {
  const server = await startWithApp()
  const release = await publish(server, '1.0.0', { notes: 'as published', rolloutPct: 10 })
  const again = publishBody('1.0.0', { notes: 'another text', artifacts: [] })
  expect((await server.call('POST', RELEASES, { body: again })).status).toBe(409)
  await check(server, '0.9.0', { device: null })
  await serve(server, '1.0.0', { rolloutPct: 20, status: 'paused' })
  await serve(server, '1.0.0', { status: 'rolled_back' })
  for (const method of ['PUT', 'DELETE']) {
    expect((await server.call(method, RELEASES, { body: again })).status).toBe(404)
  }
  expect(await shown(server, '1.0.0')).toEqual({
    ...release,
    rolloutPct: 20,
    status: 'rolled_back',
  })
})
