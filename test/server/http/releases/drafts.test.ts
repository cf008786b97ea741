import { describe, expect, test } from 'vitest'
import { createApp } from '../../../../src/server/catalog/apps.ts'
import { setChannelPolicy } from '../../../../src/server/catalog/channel-policy.ts'
import { ACTOR, PRINCIPAL } from '../../../support/builders/actor.ts'
import { artifact, artifactFor } from '../../../support/builders/releases.ts'
import { DAY } from '../../../support/builders/time.ts'
import { auditOf, check, expectError, publish, RELEASES } from '../../../support/servers/calls.ts'
import { type Answer, startWithApp, type TestServer } from '../../../support/servers/server.ts'

const DRAFTS = '/api/v1/drafts'
const PLACE = { app: 'editor', channel: 'stable', version: '1.4.0' }

type Members = Readonly<Record<string, unknown>>

const put = (server: TestServer, members: Members = {}, key?: string): Promise<Answer> =>
  server.call('PUT', DRAFTS, { body: { ...PLACE, ...members }, ...(key && { key }) })
const publishDraft = (server: TestServer, members: Members = {}, key?: string): Promise<Answer> =>
  server.call('POST', `${DRAFTS}/publish`, { body: { ...PLACE, ...members }, ...(key && { key }) })
const linux = (kind: string, members: Members = {}) =>
  artifact({ platform: 'linux', arch: 'x86_64', kind, ...members })
const shownDraft = async (server: TestServer) =>
  (await server.call('GET', `${DRAFTS}/editor/stable/1.4.0`)).body.draft
const actionsOf = async (server: TestServer) =>
  (await server.catalog.store.audit({ limit: 100 }))
    .filter(({ action }) => action.startsWith('draft.') || action === 'release.published')
    .map(({ action, version, before, after }) => ({ action, version, before, after }))
    .reverse()

describe('a draft', () => {
  test('is created and shown, and is no release', async () => {
    const server = await startWithApp()
    const { status, body } = await put(server, { notes: 'New', artifacts: [artifact()] })
    expect(status).toBe(200)
    const { createdAt } = body.draft
    expect(body.draft).toEqual({
      ...{ ...PLACE, notes: 'New', createdAt, updatedAt: createdAt },
      artifacts: [artifact({ kind: '', size: 0, signature: '' })],
      expiresAt: new Date(Date.parse(createdAt) + 30 * DAY).toISOString(),
    })
    expect(await shownDraft(server)).toEqual(body.draft)
    expect((await server.call('GET', DRAFTS)).body).toEqual({
      ...{ drafts: [body.draft], page: 1, pageCount: 1, total: 1 },
    })
    expect((await server.call('GET', RELEASES)).body.total).toBe(0)
    expect((await server.call('GET', '/feed/editor/stable', { key: null })).body.releases).toEqual(
      [],
    )
    expect((await check(server, '1.0.0')).status).toBe(204)
    expect((await server.call('GET', `${RELEASES}/editor/stable/1.4.0`)).status).toBe(404)
  })

  test('gets what later calls add: the last artifact for the same devices and kind counts', async () => {
    const server = await startWithApp()
    await put(server, { version: 'v1.4.0', notes: 'Old', artifacts: [linux('deb'), linux('rpm')] })
    const url = 'https://downloads.example/new.deb'
    const again = artifact({ platform: 'Linux', arch: 'amd64', kind: 'DEB', url })
    await put(server, { artifacts: [again, artifactFor('darwin', 'universal')] })
    await put(server, { notes: 'New' })
    const { notes, artifacts } = await shownDraft(server)
    expect(notes).toBe('New')
    expect(artifacts).toMatchObject([
      { platform: 'linux', arch: 'amd64', kind: 'deb', url },
      { kind: 'rpm' },
      { platform: 'darwin', arch: 'universal', kind: '' },
    ])
    expect(await actionsOf(server)).toEqual([
      {
        ...{ action: 'draft.created', version: '1.4.0', before: null },
        after: { artifacts: 2, files: ['linux/x86_64/deb', 'linux/x86_64/rpm'], notes: true },
      },
      {
        ...{ action: 'draft.changed', version: '1.4.0', before: { artifacts: 2 } },
        after: { artifacts: 3, files: ['linux/x86_64/deb', 'darwin/any'] },
      },
      {
        ...{ action: 'draft.changed', version: '1.4.0', before: { artifacts: 3 } },
        after: { artifacts: 3, notes: true },
      },
    ])
  })

  test('loses nothing to build jobs that add to it at the same time', async () => {
    const server = await startWithApp()
    const jobs = Array.from({ length: 60 }, (_, index) => `arch-${index}`)
    // A server on a busy machine refuses what would wait too long: a job sends it again.
    const add = async (arch: string): Promise<Answer> => {
      const answer = await put(server, { artifacts: [artifactFor('linux', arch)] })
      return answer.status === 503 ? await add(arch) : answer
    }
    const answers = await Promise.all(jobs.map(add))
    expect(answers.map(({ status }) => status)).toEqual(jobs.map(() => 200))
    const { artifacts } = await shownDraft(server)
    const arches: string[] = artifacts.map(({ arch }: { arch: string }) => arch)
    expect(arches.toSorted()).toEqual(jobs.toSorted())
    expect(
      (await actionsOf(server)).filter(({ action }) => action === 'draft.created'),
    ).toHaveLength(1)
  })

  test('stays as it is if nothing is added to it', async () => {
    const server = await startWithApp()
    const { body } = await put(server, { notes: 'New', artifacts: [artifact()] })
    expect((await put(server, { artifacts: [artifact()] })).body).toEqual(body)
    expect((await put(server)).body).toEqual(body)
    expect(await actionsOf(server)).toHaveLength(1)
  })

  test('can be empty, and is refused where a release would be', async () => {
    const server = await startWithApp()
    expect((await put(server)).body.draft).toMatchObject({ notes: '', artifacts: [] })
    const faults: [string, Members][] = [
      ['version: app, channel and version are required', { version: undefined }],
      ['version: must be a semantic version such as 1.4.0 or 2.0.0-rc.1', { version: '1' }],
      ['artifacts.0.sha512: is required', { artifacts: [artifact({ sha512: undefined })] }],
      ['rolloutPct: is not a known member', { rolloutPct: 5 }],
      ['notes: must be at most 64 KiB of UTF-8', { notes: 'n'.repeat(65_537) }],
    ]
    for (const [message, members] of faults) {
      expect.soft(expectError(await put(server, members), 400)).toBe(message)
    }
    expectError(await put(server, { app: 'player' }), 404)
    expectError(await put(server, { channel: 'beta' }), 404)
    await publish(server, '2.0.0')
    expect(expectError(await put(server, { version: '2.0.0' }), 409)).toBe(
      'version 2.0.0 of editor/stable already exists',
    )
  })

  test('holds as many artifacts as a release, and an app a hundred drafts', async () => {
    const server = await startWithApp()
    const many = (first: number, count: number) =>
      Array.from({ length: count }, (_, index) => artifact({ arch: `arch-${first + index}` }))
    await put(server, { artifacts: many(0, 64) })
    expect((await put(server, { artifacts: many(10, 5) })).status).toBe(200)
    expect(expectError(await put(server, { artifacts: many(64, 1) }), 422)).toBe(
      'the draft of 1.4.0 would have more than 64 artifacts',
    )
    expect((await shownDraft(server)).artifacts).toHaveLength(64)
    // One key cannot make them all.
    for (let index = 0; index < 49; index += 1) await put(server, { version: `2.0.${index}` })
    expect(expectError(await put(server, { version: '3.0.0' }), 422)).toBe(
      'you have made 50 drafts of app "editor"; publish or delete one first',
    )
    const other = await server.mint()
    for (let index = 0; index < 50; index += 1) {
      expect((await put(server, { version: `2.1.${index}` }, other)).status).toBe(200)
    }
    const another = await server.mint()
    expect(expectError(await put(server, { version: '3.0.0' }, another), 422)).toBe(
      'app "editor" has 100 drafts; publish or delete one first',
    )
    expect((await put(server, { version: '2.0.5', notes: 'Also then' })).status).toBe(200)
    await createApp(server.catalog, ACTOR, { ref: 'player', name: 'Player' })
    expect((await put(server, { app: 'player' })).status).toBe(200)
    const page = await server.call('GET', `${DRAFTS}?app=editor&channel=stable&per_page=40&page=3`)
    expect(page.body).toMatchObject({ page: 3, pageCount: 3, total: 100 })
    expect(page.body.drafts).toHaveLength(20)
    expectError(await server.call('GET', `${DRAFTS}?apps=editor`), 400)
  })

  test('is discarded, named in the body or in the query', async () => {
    const server = await startWithApp()
    const { body } = await put(server, { artifacts: [artifact()] })
    expect(await server.call('DELETE', DRAFTS, { body: PLACE })).toMatchObject({
      status: 200,
      body,
    })
    expect(expectError(await server.call('DELETE', DRAFTS, { body: PLACE }), 404)).toBe(
      'no draft of 1.4.0 on editor/stable',
    )
    expectError(await server.call('DELETE', DRAFTS), 400)
    await put(server)
    const query = '?app=editor&channel=stable&version=1.4.0'
    expect((await server.call('DELETE', `${DRAFTS}${query}`)).status).toBe(200)
    expect((await server.call('GET', DRAFTS)).body.total).toBe(0)
    expect((await actionsOf(server)).map(({ action }) => action)).toEqual([
      ...['draft.created', 'draft.discarded', 'draft.created', 'draft.discarded'],
    ])
  })
})

describe('publishing a draft', () => {
  test('makes the release, and ends the draft', async () => {
    const server = await startWithApp()
    await put(server, { notes: 'New', artifacts: [linux('deb'), artifact()] })
    const targets = { matchLabels: { ring: 'beta' } }
    const { status, body } = await publishDraft(server, { rolloutPct: 10, targets })
    expect(status).toBe(201)
    expect(body.release).toMatchObject({
      ...{ ...PLACE, notes: 'New', rolloutPct: 10, status: 'published', offered: false },
      artifacts: [{ kind: 'deb' }, { platform: 'darwin' }],
      targets: { ...targets, matchExpressions: [] },
    })
    expect((await server.call('GET', DRAFTS)).body.total).toBe(0)
    const message = 'version 1.4.0 of editor/stable already exists'
    expect(expectError(await publishDraft(server), 409)).toBe(message)
    expect(expectError(await put(server), 409)).toBe(message)
    expect(await actionsOf(server)).toMatchObject([
      { action: 'draft.created' },
      { action: 'release.published', after: { artifacts: 2, rolloutPct: 10, draft: true } },
    ])
    expect(expectError(await publishDraft(server, { version: '1.5.0' }), 404)).toBe(
      'no draft of 1.5.0 on editor/stable',
    )
  })

  test('names every expected artifact that is missing, and then does nothing', async () => {
    const server = await startWithApp()
    await put(server, { artifacts: [linux('deb'), artifactFor('macos', 'arm64')] })
    const expected = [
      { platform: 'Linux', arch: 'amd64', kind: 'DEB' },
      { platform: 'linux', arch: 'x86_64', kind: 'rpm' },
      { platform: 'linux', arch: 'x64' },
      { platform: 'linux', arch: 'x64', kind: '' },
      { platform: 'darwin', arch: 'aarch64' },
      { platform: 'darwin', arch: 'aarch64', kind: '' },
      { platform: 'windows', arch: 'x86_64' },
    ]
    expect(expectError(await publishDraft(server, { expect: expected }), 422)).toBe(
      'expect: the draft has no artifact for linux x86_64 rpm, linux x64, and windows x86_64',
    )
    expect((await shownDraft(server)).artifacts).toHaveLength(2)
    const last = [linux('rpm'), linux(''), artifactFor('win32', 'x64')]
    await put(server, { artifacts: last })
    const { status, body } = await publishDraft(server, { expect: expected })
    expect([status, body.release.rolloutPct, body.release.artifacts.length]).toEqual([201, 100, 5])
    expectError(await publishDraft(server, { expect: [{ platform: 'linux' }] }), 400)
  })

  test('happens once, however many ask for it at the same time', async () => {
    const server = await startWithApp()
    await put(server, { artifacts: [artifact()] })
    const answers = await Promise.all(Array.from({ length: 8 }, () => publishDraft(server)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
  })

  test('needs the approval that publishing needs', async () => {
    const server = await startWithApp()
    await setChannelPolicy(server.catalog, ACTOR, {
      ...{ app: 'editor', channel: 'stable' },
      change: { requireApproval: true },
    })
    expect((await put(server, { artifacts: [artifact()] })).status).toBe(200)
    expect(expectError(await publishDraft(server), 403)).toMatch(/requires approval/)
    expect((await shownDraft(server)).artifacts).toHaveLength(1)
    expect((await publishDraft(server, { rolloutPct: 0 })).status).toBe(201)
  })

  test('without the draft ends the draft too', async () => {
    const server = await startWithApp()
    await put(server, { artifacts: [artifact()] })
    await publish(server, '1.4.0')
    expect((await server.call('GET', DRAFTS)).body.total).toBe(0)
  })
})

test('drafts need a key with the scope publish, and one that is bound to an app sees only its own', async () => {
  const server = await startWithApp()
  await createApp(server.catalog, ACTOR, { ref: 'player', name: 'Player' })
  await put(server)
  await put(server, { app: 'player' })
  const reader = await server.mint({ scopes: ['read', 'serve', 'fleet'] })
  const own = await server.mint({ scopes: ['publish'], app: 'player' })
  for (const [method, path] of [
    ['GET', DRAFTS],
    ['GET', `${DRAFTS}/editor/stable/1.4.0`],
    ['PUT', DRAFTS],
    ['POST', `${DRAFTS}/publish`],
    ['DELETE', DRAFTS],
  ] as const) {
    const body = method === 'GET' ? {} : { body: PLACE }
    expectError(await server.call(method, path, { ...body, key: null }), 401)
    expectError(await server.call(method, path, { ...body, key: reader }), 403)
    if (path === DRAFTS && method === 'GET') continue
    expectError(await server.call(method, path, { ...body, key: own }), 404)
  }
  const { body } = await server.call('GET', DRAFTS, { key: own })
  expect(body).toMatchObject({ total: 1, drafts: [{ app: 'player' }] })
  expectError(await server.call('GET', `${DRAFTS}?app=editor`, { key: own }), 404)
  expect((await put(server, { app: 'player', notes: 'Mine' }, own)).status).toBe(200)
  expect((await publishDraft(server, { app: 'player' }, own)).status).toBe(201)
})

test('drafts are hidden while their app is archived', async () => {
  const server = await startWithApp()
  await put(server)
  await server.updates.setAppArchived(PRINCIPAL, { app: 'editor', archived: true })
  expect((await server.call('GET', DRAFTS)).body.total).toBe(0)
  expectError(await put(server), 404)
  expect(await auditOf(server, 'draft.created')).toHaveLength(1)
})
