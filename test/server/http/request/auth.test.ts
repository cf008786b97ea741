import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createApp } from '../../../../src/server/catalog/apps.ts'
import { mintKey, revokeKey } from '../../../../src/server/catalog/keys.ts'
import { ALL_SCOPES, type Scope } from '../../../../src/shared/access/key.ts'
import { ACTOR } from '../../../support/builders/actor.ts'
import { DEVICE } from '../../../support/builders/devices.ts'
import { artifact, publishBody } from '../../../support/builders/releases.ts'
import { expectError, publish, RELEASES } from '../../../support/servers/calls.ts'
import { openElsewhere } from '../../../support/servers/catalog.ts'
import { isOnPostgres, storedTables } from '../../../support/servers/engine.ts'
import { startServer, startWithApp, type TestServer } from '../../../support/servers/server.ts'

const DEVICE_ITEM = { deviceId: DEVICE, version: '1.0.0', platform: 'linux', arch: 'x64' }

/** A valid call of each keyed operation on an app, with the scope that it needs. */
function operations(app: string) {
  const place = { app, channel: 'stable' }
  const devices = [DEVICE_ITEM]
  return [
    ['read', 'GET', `${RELEASES}?app=${app}`, undefined],
    ['publish', 'POST', RELEASES, { ...place, version: '7.0.0' }],
    ['serve', 'PATCH', RELEASES, { ...place, version: '7.0.0', rolloutPct: 10 }],
    ['read', 'GET', `/api/v1/channels/${app}/stable`, undefined],
    ['serve', 'PATCH', '/api/v1/channels', { ...place, manualChecks: true }],
    ['fleet', 'POST', '/api/v1/fleet/decisions', { app, devices }],
    ['fleet', 'POST', '/api/v1/fleet/report', { app, devices }],
  ] as const
}

async function callEach(server: TestServer, key: string | null, app = 'editor') {
  const answers = []
  for (const [scope, method, path, body] of operations(app)) {
    answers.push({ scope, answer: await server.call(method, path, { key, body }) })
  }
  return answers
}

async function keyNamed(folder: string, name: string) {
  const { store } = await openElsewhere(folder)
  return (await store.keys()).find((key) => key.name === name)
}

/** All that a server keeps: the files of its folder and, of an engine without one, every table. */
async function storedTexts(folder: string): Promise<readonly (Buffer | string)[]> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name)))
  return isOnPostgres ? [...files, ...(await storedTables(folder)).values()] : files
}

test('every operation under /api/v1 refuses a missing, malformed, unknown or revoked key', async () => {
  const server = await startWithApp()
  const revoked = await server.mint({ name: 'old' })
  expect((await server.call('GET', RELEASES, { key: revoked })).status).toBe(200)
  await revokeKey(server.catalog, ACTOR, revoked.slice(0, 8))
  const unknown = `tg_${'A'.repeat(43)}`
  for (const key of [null, unknown, revoked, `${server.key}x`, server.key.slice(0, -1)]) {
    for (const { answer } of await callEach(server, key)) {
      expect(expectError(answer, 401)).toMatch(/^invalid or revoked API key/)
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
    }
  }
  for (const authorization of [
    '',
    'Bearer',
    'Bearer ',
    server.key,
    `Basic ${server.key}`,
    `Bearer ${server.key} ${server.key}`,
    `Bearer "${server.key}"`,
  ]) {
    const answer = await server.call('GET', RELEASES, { key: null, headers: { authorization } })
    expect(expectError(answer, 401)).toMatch(/^invalid or revoked API key/)
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  }
  const inQuery = await server.call('GET', `${RELEASES}?key=${server.key}`, { key: null })
  expect(inQuery.status).toBe(401)
})

test('the scheme is imported any case', async () => {
  const server = await startServer()
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
    const headers = { authorization: `${scheme} ${server.key}` }
    expect((await server.call('GET', RELEASES, { key: null, headers })).status).toBe(200)
  }
})

test('a key can do only what its scopes cover', async () => {
  const server = await startWithApp()
  await publish(server, '7.0.0', { app: 'editor' })
  for (const scope of ALL_SCOPES) {
    const key = await server.mint({ scopes: [scope] })
    for (const { scope: needed, answer } of await callEach(server, key)) {
      if (needed === scope) expect(answer.status).not.toBe(403)
      else expect(expectError(answer, 403)).toBe(`this key lacks the scope "${needed}"`)
    }
  }
  const scopes: readonly Scope[] = ['read', 'fleet']
  const two = await callEach(server, await server.mint({ scopes }))
  expect(two.map(({ answer }) => answer.status)).toEqual([200, 403, 403, 200, 403, 200, 200])
})

test('a key without named scopes may do everything', async () => {
  const server = await startWithApp()
  const answers = await callEach(server, await server.mint())
  expect(answers.map(({ answer }) => answer.status)).toEqual([200, 201, 200, 200, 200, 200, 200])
})

test('a key restricted to an app does not see other apps', async () => {
  const server = await startWithApp()
  const { id } = await createApp(server.catalog, ACTOR, { ref: 'player' })
  await publish(server, '1.0.0', { app: 'player' })
  const key = await server.mint({ app: 'editor' })
  const own = await callEach(server, key)
  expect(own.map(({ answer }) => answer.status)).toEqual([200, 201, 200, 200, 200, 200, 200])
  for (const app of ['player', id]) {
    for (const { answer } of await callEach(server, key, app)) {
      expect(expectError(answer, 404)).toBe(`unknown app "${app}"`)
    }
  }
  const change = { app: 'player', channel: 'stable', version: '1.0.0', status: 'rolled_back' }
  expect((await server.call('PATCH', RELEASES, { key, body: change })).status).toBe(404)
  const all = await server.call('GET', RELEASES)
  expect(all.body.releases).toMatchObject([
    { app: 'editor', version: '7.0.0' },
    { app: 'player', version: '1.0.0', status: 'published' },
  ])
  const seen = await server.call('GET', RELEASES, { key })
  expect(seen.body.total).toBe(1)
  expect(seen.body.releases).toMatchObject([{ app: 'editor', version: '7.0.0' }])
})

test('a key that another process mints works with the next request, and revoked by it no more', async () => {
  const server = await startWithApp()
  const catalog = await openElsewhere(server.folder)
  const { secret, key } = await mintKey(catalog, ACTOR, { name: 'from outside' })
  expect((await server.call('GET', RELEASES, { key: secret })).status).toBe(200)
  await revokeKey(catalog, ACTOR, key.prefix)
  expect((await server.call('GET', RELEASES, { key: secret })).status).toBe(401)
})

test('a key is tg_ and 32 random bytes, and nothing on the disk holds more of it than its start', async () => {
  const server = await startWithApp()
  const secrets = [await server.mint({ name: 'one' }), await server.mint({ name: 'two' })]
  for (const secret of secrets) {
    expect(secret).toMatch(/^tg_[A-Za-z0-9_-]{43}$/)
    await server.call('POST', RELEASES, { key: secret, body: { broken: secret.length } })
    await server.call('GET', RELEASES, { key: secret })
  }
  expect(secrets[0]).not.toBe(secrets[1])
  const expectHidden = async () => {
    const stored = await storedTexts(server.folder)
    const holdsAny = (text: string) => stored.some((place) => place.includes(text))
    for (const secret of secrets) {
      expect(holdsAny(secret.slice(0, 8))).toBe(true)
      expect(holdsAny(secret.slice(0, 12))).toBe(false)
      expect(holdsAny(secret.slice(8, 24))).toBe(false)
    }
  }
  await expectHidden()
  await server.stop()
  await expectHidden()
})

test('a key is stored with its name, prefix, scopes, app and times', async () => {
  const server = await startWithApp()
  const secret = await server.mint({ name: 'CI', scopes: ['publish'], app: 'editor' })
  const unused = await keyNamed(server.folder, 'CI')
  const hash = createHash('sha256').update(secret).digest('hex')
  expect(unused).toEqual({
    id: expect.any(Number),
    bypassApproval: false,
    prefix: secret.slice(0, 8),
    hash,
    name: 'CI',
    scopes: ['publish'],
    appKey: server.catalog.snapshot.appByName.get('editor')?.record.key,
    createdAt: expect.stringMatching(/Z$/),
    lastUsedAt: null,
    revokedAt: null,
  })
})

test('when a key was last used is noted, and a refused use does not count', async () => {
  const server = await startWithApp()
  const key = await server.mint({ name: 'used', scopes: ['publish'] })
  const refused = await server.mint({ name: 'refused', scopes: ['read'] })
  const began = new Date().toISOString()
  const body = publishBody('1.0.0', { artifacts: [artifact()] })
  expect((await server.call('POST', RELEASES, { key, body })).status).toBe(201)
  expect((await server.call('POST', RELEASES, { key: refused, body })).status).toBe(403)
  const ended = new Date().toISOString()
  await server.stop()
  const used = (await keyNamed(server.folder, 'used'))?.lastUsedAt ?? ''
  expect([began, used, ended]).toEqual([began, used, ended].sort())
  expect(await keyNamed(server.folder, 'refused')).toMatchObject({ lastUsedAt: null })
})

test('audit entries contain the prefix of a key, never the key', async () => {
  const server = await startWithApp()
  const secret = await server.mint({ name: 'CI', app: 'editor' })
  await revokeKey(server.catalog, ACTOR, secret.slice(0, 8))
  const entries = await server.catalog.store.audit({ limit: 2 })
  expect(entries).toMatchObject([
    { action: 'key.revoked', app: 'editor', actor: ACTOR, before: { revokedAt: null } },
    {
      action: 'key.minted',
      app: 'editor',
      before: null,
      after: { name: 'CI', scopes: ALL_SCOPES },
    },
  ])
  for (const { after } of entries) expect(after).toMatchObject({ prefix: secret.slice(0, 8) })
  expect(JSON.stringify(entries)).not.toContain(secret.slice(8))
})
