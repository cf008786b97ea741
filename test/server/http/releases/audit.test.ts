import { expect, test } from 'vitest'
import { publishBody } from '../../../support/builders/releases.ts'
import {
  auditOf,
  check,
  expectError,
  publish,
  RELEASES,
  serve,
} from '../../../support/servers/calls.ts'
import { startWithApp } from '../../../support/servers/server.ts'

const PLACE = { app: 'editor', channel: 'stable', version: '1.0.0' }

test('every change is audited with actor, time, before and after', async () => {
  const server = await startWithApp()
  const publisher = await server.mint({ name: 'CI of the editor' })
  const manager = await server.mint({ name: 'release desk' })
  const began = new Date().toISOString()
  const body = publishBody('1.0.0', { rolloutPct: 5 })
  await server.call('POST', RELEASES, { body, key: publisher })
  await serve(server, '1.0.0', { rolloutPct: 25 }, { key: manager })
  const targets = { matchLabels: { ring: 'beta' }, matchExpressions: [] }
  await serve(server, '1.0.0', { targets, rolloutPct: 25, status: 'paused' }, { key: manager })
  await serve(server, '1.0.0', { status: 'rolled_back' }, { key: manager })
  const ended = new Date().toISOString()

  const everybody = { matchLabels: {}, matchExpressions: [] }
  const entries = (await auditOf(server)).filter(({ version }) => version !== null)
  const changed = {
    ...PLACE,
    action: 'release.serving_changed',
    actor: { kind: 'key', name: 'release desk' },
  }
  expect(entries).toMatchObject([
    {
      ...PLACE,
      action: 'release.published',
      actor: { kind: 'key', name: 'CI of the editor' },
      before: null,
      after: { status: 'published', rolloutPct: 5, targets: everybody, artifacts: 1 },
    },
    { ...changed, before: { rolloutPct: 5 }, after: { rolloutPct: 25 } },
    {
      ...changed,
      before: { targets: everybody, status: 'published' },
      after: { targets, status: 'paused' },
    },
    { ...changed, before: { status: 'paused' }, after: { status: 'rolled_back' } },
  ])
  expect(entries[2]?.after).not.toHaveProperty('rolloutPct')
  const times = entries.map(({ at }) => at)
  expect([began, ...times, ended]).toEqual([began, ...times, ended].sort())
})

test('rejected changes and changes without effect leave no entry', async () => {
  const server = await startWithApp()
  await publish(server, '1.0.0')
  await check(server, '0.9.0')
  const before = await auditOf(server)
  expectError(await server.call('POST', RELEASES, { body: publishBody('1.0.0') }), 409)
  expectError(await serve(server, '1.0.0', { rolloutPct: 5 }), 422)
  expectError(await serve(server, '1.0.0', { rolloutPct: 500 }), 400)
  expectError(await serve(server, '9.0.0', { rolloutPct: 5 }), 404)
  expect((await serve(server, '1.0.0', { rolloutPct: 100, targets: {} })).status).toBe(200)
  expect(await auditOf(server)).toEqual(before)
})
