import { describe, expect, test, vi } from 'vitest'
import { expireChangeRequests } from '../../../../src/server/catalog/expiry.ts'
import { ScheduledJob } from '../../../../src/server/runtime/async/scheduled-job.ts'
import { PublishBody } from '../../../../src/shared/releases/release.ts'
import { PRINCIPAL } from '../../../support/builders/actor.ts'
import { publishBody } from '../../../support/builders/releases.ts'
import { auditOf, check, setPolicy } from '../../../support/servers/calls.ts'
import {
  ada,
  ben,
  eve,
  PLACE,
  propose,
  RELEASE,
  raise,
  refusalOf,
  startGuarded,
} from '../../../support/servers/guarded.ts'

const DAY = 86_400_000

const decide = (id: string) => ({ id, comment: '' })

describe('a change request', () => {
  test('is applied by a second person, and the audit log names both', async () => {
    const { server } = await startGuarded()
    await check(server, '0.9.0')
    const id = await propose(server)
    expect(await server.updates.getChangeRequest(ben, { id })).toMatchObject({
      ...{ ...RELEASE, change: raise, comment: 'Looks good so far', proposedBy: 'ada' },
      preview: { devices: 1, gaining: 0, losing: 0 },
      ...{ expiresAt: '2026-03-21T09:26:53.589Z', closed: null },
      ...{ mayDecide: true, mayWithdraw: false },
    })
    expect(await server.updates.getRelease(ben, RELEASE)).toMatchObject({ rolloutPct: 10 })
    await server.updates.applyChangeRequest(ben, { id, comment: 'Go' })
    expect(await server.updates.getRelease(ben, RELEASE)).toMatchObject({ rolloutPct: 60 })
    expect(await server.updates.getChangeRequest(ben, { id })).toMatchObject({
      closed: { state: 'applied', by: 'ben', comment: 'Go' },
      ...{ mayDecide: false, mayWithdraw: false },
    })
    const entries = (await auditOf(server)).slice(-3)
    expect(entries).toMatchObject([
      { action: 'change_request.proposed', actor: { name: 'ada' }, ...RELEASE },
      {
        ...{ action: 'release.serving_changed', actor: { name: 'ben' } },
        ...{ before: { rolloutPct: 10 }, after: { rolloutPct: 60, requestedBy: 'ada' } },
      },
      {
        ...{ action: 'change_request.applied', actor: { name: 'ben' } },
        ...{ before: { state: 'open' }, after: { proposedBy: 'ada', comment: 'Go' } },
      },
    ])
  })

  test('publishes a release', async () => {
    const { server } = await startGuarded()
    await check(server, '0.9.0')
    const { app: _a, channel: _c, version, ...content } = PublishBody.parse(publishBody('2.0.0'))
    const id = await propose(server, { kind: 'publish', ...content }, ada, version)
    expect((await server.updates.getChangeRequest(ben, { id })).preview).toMatchObject({
      gaining: 1,
    })
    await server.updates.applyChangeRequest(ben, decide(id))
    const offered = await check(server, '0.9.0')
    expect(offered.body).toMatchObject({ version: '2.0.0' })
    expect(await auditOf(server, 'release.published')).toMatchObject([
      {},
      { actor: { name: 'ben' }, after: { requestedBy: 'ada' } },
    ])
  })

  test('is not decided on by its proposer, nor withdrawn by others', async () => {
    const { server } = await startGuarded()
    const id = await propose(server)
    for (const call of [
      () => server.updates.applyChangeRequest(ada, decide(id)),
      () => server.updates.declineChangeRequest(ada, decide(id)),
    ]) {
      expect(await refusalOf(call())).toEqual({ code: 'second_person_needed' })
    }
    expect(await refusalOf(server.updates.withdrawChangeRequest(ben, { id }))).toEqual({
      ...{ code: 'not_proposer', proposer: 'ada' },
    })
    await server.updates.withdrawChangeRequest(ada, { id })
    expect(await auditOf(server, 'change_request.withdrawn')).toMatchObject([
      { actor: { name: 'ada' }, after: { state: 'withdrawn', proposedBy: 'ada' } },
    ])
  })

  test('that is declined changes nothing, with the comment in the audit log', async () => {
    const { server } = await startGuarded()
    const id = await propose(server)
    await server.updates.declineChangeRequest(ben, { id, comment: 'Crashes on macOS' })
    expect(await refusalOf(server.updates.applyChangeRequest(ben, decide(id)))).toMatchObject({
      ...{ code: 'change_request_closed', state: 'declined', by: 'ben' },
    })
    expect(await server.updates.getRelease(ben, RELEASE)).toMatchObject({ rolloutPct: 10 })
    expect(await auditOf(server, 'change_request.declined')).toMatchObject([
      { actor: { name: 'ben' }, after: { proposedBy: 'ada', comment: 'Crashes on macOS' } },
    ])
  })

  test('is applied once if two people apply it at the same time', async () => {
    const { server } = await startGuarded()
    const id = await propose(server)
    const outcomes = await Promise.allSettled([
      server.updates.applyChangeRequest(ben, decide(id)),
      server.updates.applyChangeRequest(eve, decide(id)),
    ])
    const winner = outcomes.findIndex(({ status }) => status === 'fulfilled')
    const loser = outcomes[1 - winner]
    expect(loser).toMatchObject({
      reason: {
        facts: { code: 'change_request_closed', state: 'applied', by: ['ben', 'eve'][winner] },
      },
    })
    expect(await auditOf(server, 'release.serving_changed')).toHaveLength(1)
    expect(await auditOf(server, 'change_request.applied')).toHaveLength(1)
  })

  test('is checked against the rules of serving when it is applied', async () => {
    const { server } = await startGuarded()
    const id = await propose(server)
    await server.updates.changeServing(ada, { ...RELEASE, status: 'rolled_back' })
    expect(await refusalOf(server.updates.applyChangeRequest(ben, decide(id)))).toMatchObject({
      code: 'release_rolled_back',
    })
    // Still open: it can be declined.
    await server.updates.declineChangeRequest(ben, decide(id))
  })

  test('is not applied to a release that has changed since it was shown', async () => {
    const { server } = await startGuarded()
    const seenChange = (await auditOf(server, 'release.published'))[0]?.id
    const id = await propose(server)
    await server.updates.changeServing(ada, { ...RELEASE, status: 'paused' })
    const apply = server.updates.applyChangeRequest(ben, { ...decide(id), seenChange })
    expect(await refusalOf(apply)).toMatchObject({ code: 'changed_since_seen' })
    expect(await server.updates.getRelease(ben, RELEASE)).toMatchObject({ rolloutPct: 10 })
  })

  test('is no change of the release that a form was filled in with', async () => {
    const { server } = await startGuarded()
    const seenChange = (await auditOf(server, 'release.published'))[0]?.id
    await propose(server)
    await server.updates.changeServing(ben, { ...RELEASE, status: 'paused', seenChange })
  })

  test('is for changes that require approval', async () => {
    const { server } = await startGuarded()
    const pause = { kind: 'serving', status: 'paused' } as const
    expect(await refusalOf(propose(server, pause))).toMatchObject({ code: 'approval_not_needed' })
    await setPolicy(server, { requireApproval: false })
    expect(await refusalOf(propose(server))).toMatchObject({ code: 'approval_not_needed' })
  })

  test('is one of at most 20 open ones of a channel', async () => {
    const { server } = await startGuarded()
    for (let number = 0; number < 20; number++) await propose(server)
    expect(await refusalOf(propose(server))).toEqual({
      ...{ code: 'too_many_change_requests', ...PLACE, maximum: 20 },
    })
    const [latest] = await server.updates.listChangeRequests(ada, { state: 'open' })
    await server.updates.withdrawChangeRequest(ada, { id: latest?.id ?? '' })
    await propose(server)
  })

  test('expires after 7 days', async () => {
    const { server, time } = await startGuarded()
    const id = await propose(server)
    time.now += 7 * DAY - 1
    expect(await expireChangeRequests(server.catalog)).toBe(0)
    expect(await server.updates.countPendingRequests(ben)).toBe(1)
    time.now += 1
    expect(await server.updates.countPendingRequests(ben)).toBe(0)
    const expired = { code: 'change_request_closed', state: 'expired', by: null }
    const apply = server.updates.applyChangeRequest(ben, decide(id))
    expect(await refusalOf(apply)).toMatchObject(expired)
    expect(await expireChangeRequests(server.catalog)).toBe(1)
    expect(await expireChangeRequests(server.catalog)).toBe(0)
    expect(await server.updates.listChangeRequests(ben, { state: 'open' })).toEqual([])
    expect(await server.updates.listChangeRequests(ben, { state: 'closed' })).toMatchObject([
      { id, closed: { state: 'expired', by: null } },
    ])
    expect(await auditOf(server, 'change_request.expired')).toMatchObject([
      { actor: { kind: 'server' }, after: { state: 'expired', proposedBy: 'ada' } },
    ])
  })

  test('is closed in the background once it has expired, also after a failure', async () => {
    const { server, time } = await startGuarded()
    await propose(server)
    time.now += 7 * DAY
    const { store } = server.catalog
    const failing = vi
      .spyOn(store, 'expiredChangeRequests')
      .mockRejectedValueOnce(new Error('disk on fire'))
    const failures: unknown[] = []
    const expire = () => expireChangeRequests(server.catalog)
    const onFailure = (error: unknown) => failures.push(error)
    const job = new ScheduledJob(expire, { every: 5, onFailure })
    job.start()
    await expect.poll(() => auditOf(server, 'change_request.expired')).toHaveLength(1)
    await job.stop()
    expect(failures).toMatchObject([{ message: 'disk on fire' }])
    failing.mockRestore()
  })

  test('goes with its app', async () => {
    const { server } = await startGuarded()
    const id = await propose(server)
    await server.updates.setAppArchived(PRINCIPAL, { app: 'editor', archived: true })
    expect(await server.updates.countPendingRequests(ben)).toBe(0)
    await server.updates.removeApp(ada, { app: 'editor', confirmation: 'editor' })
    expect(await refusalOf(server.updates.getChangeRequest(ben, { id }))).toEqual({
      code: 'unknown_change_request',
    })
  })
})
