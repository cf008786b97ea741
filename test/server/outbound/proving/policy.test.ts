import { expect, test } from 'vitest'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import { eventually } from '../../../support/eventually.ts'
import { auditOf, check, serve, setPolicy } from '../../../support/servers/calls.ts'
import { ada, ben, refusalOf } from '../../../support/servers/guarded.ts'
import { PLACE, startProven } from '../../../support/servers/proven.ts'

const MINUTE = 60_000
const isPublished = ({ status }: { status: string }) => status === 'published'

test('a release is paused until it is proven, and resumes by itself', async () => {
  const world = await startProven('required')
  const { server, files } = world
  const { promise: asked, resolve } = Promise.withResolvers<() => void>()
  files.put('/1.0.0', (response) => resolve(() => response.end(world.bytes)))
  expect(await world.publish('1.0.0', null)).toMatchObject({ status: 'paused', offered: false })
  const answer = await asked
  expect((await check(server, '0.9.0')).status).toBe(204)
  expect(await server.updates.showProof(PRINCIPAL, { ...PLACE, version: '1.0.0' })).toMatchObject({
    ...{ state: 'running', awaitsProof: true },
    artifacts: [{ state: 'running', checkedAt: null, progress: { total: world.bytes.length } }],
  })
  answer()
  await world.until('1.0.0', isPublished)
  // A list shows what is stored, which the server serves a moment later.
  await eventually(async () =>
    expect((await check(server, '0.9.0')).body).toMatchObject({ version: '1.0.0' }),
  )
  expect(await world.proof('1.0.0')).toMatchObject({
    ...{ state: 'proven', awaitsProof: false },
    artifacts: [
      { checkedAt: new Date(world.time.now).toISOString(), signature: 'unsigned', progress: null },
    ],
  })
  const entries = (await auditOf(server)).filter(({ version }) => version === '1.0.0')
  expect(entries).toMatchObject([
    { action: 'release.published', after: { status: 'paused', awaitsProof: true } },
    {
      ...{ action: 'release.serving_changed', actor: { kind: 'server', name: 'server' } },
      before: { status: 'paused', awaitsProof: true },
      after: { status: 'published', awaitsProof: false },
    },
  ])
})

test('a release without artifacts has nothing to prove', async () => {
  const { server } = await startProven('required')
  const body = { ...PLACE, version: '1.0.0' }
  expect((await server.call('POST', '/api/v1/releases', { body })).body.release.status).toBe(
    'published',
  )
})

test('a release that a person paused meanwhile stays paused', async () => {
  const world = await startProven('required')
  const { server, files } = world
  const { promise: asked, resolve } = Promise.withResolvers<() => void>()
  files.put('/1.0.0', (response) => resolve(() => response.end(world.bytes)))
  await world.publish('1.0.0', null)
  const answer = await asked
  expect((await serve(server, '1.0.0', { status: 'paused' })).status).toBe(200)
  expect(await auditOf(server, 'release.serving_changed')).toMatchObject([
    {
      before: { status: 'paused', awaitsProof: true },
      after: { status: 'paused', awaitsProof: false },
    },
  ])
  answer()
  expect(await world.proof('1.0.0')).toMatchObject({ state: 'proven', awaitsProof: false })
  await world.publish('1.1.0')
  // Proven later, and resumed: the look that did so left the other one alone.
  await world.until('1.1.0', isPublished)
  await world.until('1.0.0', ({ status }) => status === 'paused')
  // Now that it is proven, people can resume it.
  expect((await serve(server, '1.0.0', { status: 'published' })).status).toBe(200)
})

test('a change of the rollout alone does not take the wait away', async () => {
  const world = await startProven('required')
  const { server, files, time } = world
  await world.publish('1.0.0', null)
  await world.proof('1.0.0')
  await serve(server, '1.0.0', { rolloutPct: 50 })
  files.put('/1.0.0', world.bytes)
  time.now += MINUTE
  expect(await world.until('1.0.0', isPublished)).toMatchObject({ rolloutPct: 50 })
})

test('nobody resumes what is not proven while proof is required', async () => {
  const world = await startProven('required')
  const { server } = world
  await world.publish('1.0.0', null)
  expect(await world.proof('1.0.0')).toMatchObject({
    ...{ state: 'failed', awaitsProof: true },
    artifacts: [{ failure: { code: 'status', status: 404 }, provenAt: null }],
  })
  const resumed = await serve(server, '1.0.0', { status: 'published' })
  expect(resumed.status).toBe(422)
  expect(resumed.body.error).toBe(
    '1.0.0 is not proven, which channel "stable" of app "editor" requires; prove it first',
  )
  await setPolicy(server, { proving: 'warn' })
  expect((await serve(server, '1.0.0', { status: 'published' })).status).toBe(200)
})

test('what was approved is resumed without another approval, and nothing beyond it', async () => {
  const world = await startProven('required')
  const { server, files, time } = world
  const { updates } = server
  await world.publish('1.0.0', null)
  await world.proof('1.0.0')
  await setPolicy(server, { requireApproval: true })
  const release = { ...PLACE, version: '1.0.0' }
  // It is paused: raised all the same, it would be resumed with more than was approved.
  await serve(server, '1.0.0', { targets: { matchLabels: { ring: 'beta' } } })
  const raised = updates.changeServing(ada, {
    ...release,
    targets: { matchLabels: {}, matchExpressions: [] },
  })
  expect(await refusalOf(raised)).toMatchObject({ code: 'approval_required' })
  files.put('/1.0.0', world.bytes)
  time.now += MINUTE
  await world.until('1.0.0', isPublished)
  // A release that a person paused needs one, proven or not.
  await updates.changeServing(ben, { ...release, status: 'paused' })
  const resumed = updates.changeServing(ada, { ...release, status: 'published' })
  expect(await refusalOf(resumed)).toMatchObject({ code: 'approval_required' })
})
