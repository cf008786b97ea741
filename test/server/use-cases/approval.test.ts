import { describe, expect, test } from 'vitest'
import type { ServingChange } from '../../../src/server/catalog/releases/serving.ts'
import { PublishBody } from '../../../src/shared/releases/release.ts'
import { PRINCIPAL } from '../../support/builders/actor.ts'
import { publishBody } from '../../support/builders/releases.ts'
import { auditOf, expectError, RELEASES, serve } from '../../support/servers/calls.ts'
import {
  ada,
  BETA,
  PLACE,
  propose,
  RELEASE,
  raise,
  refusalOf,
  startGuarded,
} from '../../support/servers/guarded.ts'

const EVERY = { matchLabels: {}, matchExpressions: [] }

describe('on a channel that requires approval', () => {
  test.each<[string, ServingChange]>([
    ['a higher rollout', { rolloutPct: 11 }],
    ['broader targets', { targets: EVERY }],
    ['another value', { targets: { ...BETA, matchLabels: { ring: ['beta', 'eu'] } } }],
    ['a higher rollout with a pause', { rolloutPct: 20, status: 'paused' }],
  ])('%s is refused, and nothing is changed', async (_, change) => {
    const { server } = await startGuarded()
    const before = await server.updates.getRelease(PRINCIPAL, RELEASE)
    expect(await refusalOf(server.updates.changeServing(ada, { ...RELEASE, ...change }))).toEqual({
      ...{ code: 'approval_required', ...RELEASE },
    })
    expect(await server.updates.getRelease(PRINCIPAL, RELEASE)).toEqual(before)
    expect(await auditOf(server, 'release.serving_changed')).toEqual([])
  })

  test('a paused release is not resumed', async () => {
    const { server } = await startGuarded()
    await server.updates.changeServing(ada, { ...RELEASE, status: 'paused' })
    const resume = server.updates.changeServing(ada, { ...RELEASE, status: 'published' })
    expect(await refusalOf(resume)).toMatchObject({ code: 'approval_required' })
  })

  test.each<[string, ServingChange]>([
    ['a pause', { status: 'paused' }],
    ['a rollback', { status: 'rolled_back' }],
    ['a lower rollout', { rolloutPct: 5 }],
    ['narrower targets', { targets: { ...BETA, matchLabels: { ring: 'beta', region: 'eu' } } }],
    ['a change of nothing', { rolloutPct: 10, targets: BETA }],
  ])('%s is immediate', async (_, change) => {
    const { server } = await startGuarded()
    const { release } = await server.updates.changeServing(ada, { ...RELEASE, ...change })
    expect(release).toMatchObject(change)
  })

  test('a release is published at 0% only', async () => {
    const { server } = await startGuarded()
    const body = (rolloutPct: number) => PublishBody.parse(publishBody('1.1.0', { rolloutPct }))
    expect(await refusalOf(server.updates.publishRelease(ada, body(1)))).toEqual({
      ...{ code: 'approval_required', ...PLACE, version: '1.1.0' },
    })
    expect(await server.updates.publishRelease(ada, body(0))).toMatchObject({ rolloutPct: 0 })
  })

  test('the command line is refused too, and other channels are not', async () => {
    const { server } = await startGuarded()
    const change = server.updates.changeServing(PRINCIPAL, { ...RELEASE, rolloutPct: 50 })
    expect(await refusalOf(change)).toMatchObject({ code: 'approval_required' })
    await server.updates.createChannel(PRINCIPAL, { app: 'editor', name: 'beta' })
    const elsewhere = PublishBody.parse(publishBody('1.0.0', { channel: 'beta' }))
    expect(await server.updates.publishRelease(ada, elsewhere)).toMatchObject({ rolloutPct: 100 })
  })
})

describe('an API key', () => {
  test('gets 403 with what to do instead', async () => {
    const { server } = await startGuarded()
    const raised = await serve(server, '1.0.0', { rolloutPct: 50 })
    expect(expectError(raised, 403)).toBe(
      'channel "stable" of app "editor" requires approval for this change of 1.0.0; request it in the console, or use an API key that may bypass approval',
    )
    const published = await server.call('POST', RELEASES, { body: publishBody('1.1.0') })
    expect(expectError(published, 403)).toContain('requires approval')
    expect((await serve(server, '1.0.0', { status: 'paused' })).status).toBe(200)
  })

  test('that bypasses approval changes everything', async () => {
    const { server } = await startGuarded()
    const input = { name: 'release train', app: 'editor', bypassApproval: true }
    const { secret: key } = await server.updates.mintKey(PRINCIPAL, input)
    expect((await serve(server, '1.0.0', { rolloutPct: 50 }, { key })).status).toBe(200)
    const published = await server.call('POST', RELEASES, { body: publishBody('1.1.0'), key })
    expect(published.status).toBe(201)
    expect(await auditOf(server, 'key.minted')).toMatchObject([
      { after: { scopes: expect.any(Array) } },
      { after: { bypassApproval: true } },
    ])
  })

  test('that bypasses approval is minted by an administrator of the app only', async () => {
    const { server } = await startGuarded()
    const key = server.catalog.snapshot.appByName.get('editor')?.record.key ?? 0
    const manager = {
      ...ada,
      access: { server: null, apps: new Map([[key, 'release_manager' as const]]) },
    }
    const input = { name: 'sneaky', app: 'editor', bypassApproval: true }
    expect(await refusalOf(server.updates.mintKey(manager, input))).toEqual({
      ...{ code: 'forbidden', needs: 'administrator', app: 'editor' },
    })
    await server.updates.mintKey(manager, { ...input, bypassApproval: false })
  })

  test('cannot request a change', async () => {
    const { server } = await startGuarded()
    expect(await refusalOf(propose(server, raise, PRINCIPAL))).toEqual({ code: 'person_needed' })
  })
})
