import { expect, test } from 'vitest'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import { rolloutPlan } from '../../../support/builders/plans.ts'
import { auditOf, check, serve, setPolicy, shown } from '../../../support/servers/calls.ts'
import { ada, ben, refusalOf } from '../../../support/servers/guarded.ts'
import {
  publishPlanned,
  RELEASE,
  standing,
  startPlanned,
} from '../../../support/servers/planned.ts'

const PLAN = rolloutPlan([
  [50, 24],
  [100, 24],
])

test('a stop holds a release and its plan, and an undo serves both as before', async () => {
  const { server } = await startPlanned()
  await publishPlanned(server, PLAN)
  const before = await standing(server)
  const stop = await server.updates.stopRelease(PRINCIPAL, RELEASE)
  expect(await shown(server, '1.0.0')).toMatchObject({ status: 'paused' })
  expect((await check(server, '0.9.0')).status).toBe(204)
  expect(await standing(server)).toMatchObject({ status: 'suspended', reason: 'changed' })

  // A repeated call is the same stop, and the reason belongs to it.
  expect(await server.updates.stopRelease(PRINCIPAL, RELEASE)).toBe(stop)
  await server.updates.explainStop(PRINCIPAL, { ...RELEASE, reason: 'It crashes at start' })
  expect((await auditOf(server)).at(-1)).toMatchObject({
    ...{ action: 'release.stop_explained', version: '1.0.0', before: null },
    after: { reason: 'It crashes at start' },
  })
  await server.updates.undoStop(PRINCIPAL, { ...RELEASE, stop: stop ?? 0 })
  expect(await shown(server, '1.0.0')).toMatchObject({ status: 'published' })
  const { since: _, next: __, ...rest } = before
  expect(await standing(server)).toMatchObject(rest)
})

test('a stop is not undone once anything else has changed', async () => {
  const { server } = await startPlanned()
  await publishPlanned(server, PLAN)
  const stop = await server.updates.stopRelease(PRINCIPAL, RELEASE)
  await serve(server, '1.0.0', { rolloutPct: 60 })
  const undone = server.updates.undoStop(PRINCIPAL, { ...RELEASE, stop: stop ?? 0 })
  expect(await refusalOf(undone)).toMatchObject({
    ...{ code: 'changed_since_seen', version: '1.0.0' },
    changes: [{ action: 'release.serving_changed', after: { rolloutPct: 60 } }, {}],
  })
  expect(await shown(server, '1.0.0')).toMatchObject({ status: 'paused', rolloutPct: 60 })
  expect(await server.updates.stopRelease(PRINCIPAL, RELEASE)).toBeNull()
})

test('only the one who stopped a release can undo it, and nobody where resuming requires approval', async () => {
  const { server } = await startPlanned()
  await publishPlanned(server, PLAN)
  const stop = await server.updates.stopRelease(ada, RELEASE)
  expect(stop).not.toBeNull()
  expect(await server.updates.stopRelease(ben, RELEASE)).toBeNull()
  await server.updates.undoStop(ada, { ...RELEASE, stop: stop ?? 0 })
  await setPolicy(server, { requireApproval: true })
  await server.catalog.refresh()
  expect(await server.updates.stopRelease(ada, RELEASE)).toBeNull()
  const reason = { ...RELEASE, reason: 'It crashes' }
  await server.updates.explainStop(ben, reason)
  await serve(server, '1.0.0', { status: 'rolled_back' })
  expect(await refusalOf(server.updates.explainStop(ben, reason))).toMatchObject({
    code: 'changed_since_seen',
  })
})
