import { expect, test } from 'vitest'
import { accessOfKey, FULL_ACCESS } from '../../../src/server/updates/access.ts'
import type { Principal } from '../../../src/server/updates/principal.ts'
import { PublishBody } from '../../../src/shared/release.ts'
import { includesRole, Role } from '../../../src/shared/role.ts'
import { ACTOR, PRINCIPAL } from '../../support/builders/actor.ts'
import { publishBody } from '../../support/builders/releases.ts'
import { startWithApp } from '../../support/servers/server.ts'

const CONSOLE: Principal = { actor: ACTOR, access: FULL_ACCESS, seesArchived: true }
const STABLE = { app: 'editor', channel: 'stable', version: '1.0.0' }
const NO_ROLES = { server: null, apps: [] }
const PAGE = { page: 1, perPage: 20 }

test('other apps are unknown to a principal of one app, in every use case', async () => {
  const { updates } = await startWithApp()
  await updates.publishRelease(PRINCIPAL, PublishBody.parse(publishBody('1.0.0')))
  const player = await updates.createApp(PRINCIPAL, { ref: 'player' })
  const bound: Principal = { actor: ACTOR, access: accessOfKey(player.key), seesArchived: false }
  const device = { deviceId: 'one', version: '1.0.0', platform: 'linux', arch: 'x86_64' }
  const confirmed = { ...STABLE, confirmation: 'editor' }
  const calls = [
    updates.getRelease(bound, STABLE),
    updates.listReleases(bound, { ...PAGE, app: 'editor' }),
    updates.judgeVersion(bound, STABLE),
    updates.publishRelease(bound, PublishBody.parse(publishBody('1.1.0'))),
    updates.changeServing(bound, { ...STABLE, rolloutPct: 50 }),
    updates.planWave(bound, { ...STABLE, dryRun: false, devices: [device] }),
    updates.report(bound, { app: 'editor', devices: [device] }),
    updates.explainDevice(bound, { ...STABLE, deviceId: 'one', assumed: device }),
    updates.forgetDevice(bound, { app: 'editor', deviceId: 'one' }),
    updates.renameApp(bound, { app: 'editor', name: 'Mine' }),
    updates.setAppArchived(bound, { app: 'editor', archived: true }),
    updates.createChannel(bound, { app: 'editor', name: 'beta' }),
    updates.setChannelPolicy(bound, { ...STABLE, change: { updateMode: 'required' } }),
    updates.mintKey(bound, { name: 'ci', app: 'editor' }),
    updates.removeApp(bound, confirmed),
    updates.removeChannel(bound, confirmed),
    updates.previewServing(bound, { ...STABLE, rolloutPct: 50 }, undefined).next(),
  ]
  for (const [index, outcome] of (await Promise.allSettled(calls)).entries()) {
    const refused = { facts: { code: 'unknown_app', app: 'editor' } }
    expect.soft(outcome, `call ${index}`).toMatchObject({ status: 'rejected', reason: refused })
  }
  expect((await updates.listReleases(bound, PAGE)).total).toBe(0)
  expect((await updates.listReleases(PRINCIPAL, PAGE)).total).toBe(1)
})

test('each use case is refused to those whose role is too low', async () => {
  const { updates } = await startWithApp()
  await updates.publishRelease(PRINCIPAL, PublishBody.parse(publishBody('1.0.0')))
  const { key } = await updates.mintKey(PRINCIPAL, { name: 'ci', app: 'editor' })
  const device = { deviceId: 'one', version: '1.0.0', platform: 'linux', arch: 'x86_64' }
  const confirmed = { ...STABLE, confirmation: 'editor' }
  const body = PublishBody.parse(publishBody('1.1.0'))
  await updates.createChannel(PRINCIPAL, { app: 'editor', name: 'guarded' })
  const guarded = { app: 'editor', channel: 'guarded' }
  await updates.setChannelPolicy(PRINCIPAL, { ...guarded, change: { requireApproval: true } })
  const { app: _app, channel: _channel, version, ...content } = body
  const change = { kind: 'publish', ...content } as const
  const proposal = { ...guarded, version, change, comment: '' }
  const request = await updates.proposeChange({ ...PRINCIPAL, person: 'proposer' }, proposal)
  type UseCase = Exclude<keyof typeof updates, 'installation' | 'check' | 'noteKeyUse'>
  type Call = (principal: Principal) => Promise<unknown>
  /** What a role in the app does not include; null for none, which is for the server's alone. */
  const calls: Readonly<Record<UseCase, readonly [needs: Role | null, call: Call]>> = {
    getRelease: ['viewer', (who) => updates.getRelease(who, STABLE)],
    listReleases: ['viewer', (who) => updates.listReleases(who, { ...PAGE, app: 'editor' })],
    listKeys: ['viewer', (who) => updates.listKeys(who)],
    judgeVersion: ['viewer', (who) => updates.judgeVersion(who, STABLE)],
    explainDevice: [
      'viewer',
      (who) => updates.explainDevice(who, { ...STABLE, deviceId: 'one', assumed: device }),
    ],
    publishRelease: ['release_manager', (who) => updates.publishRelease(who, body)],
    servingNeedsApproval: [
      'release_manager',
      (who) => updates.servingNeedsApproval(who, { ...STABLE, rolloutPct: 100 }),
    ],
    listChangeRequests: ['viewer', (who) => updates.listChangeRequests(who, 'open')],
    countPendingRequests: ['viewer', (who) => updates.countPendingRequests(who)],
    getChangeRequest: ['viewer', (who) => updates.getChangeRequest(who, request)],
    previewChangeRequest: [
      'viewer',
      async (who) => {
        for await (const _ of updates.previewChangeRequest(who, request, undefined)) return
      },
    ],
    proposeChange: ['release_manager', (who) => updates.proposeChange(who, proposal)],
    declineChangeRequest: [
      'release_manager',
      (who) => updates.declineChangeRequest(who, { id: request, comment: '' }),
    ],
    applyChangeRequest: [
      'release_manager',
      (who) => updates.applyChangeRequest(who, { id: request, comment: '' }),
    ],
    withdrawChangeRequest: [
      'viewer',
      async (who) => {
        const me = { ...PRINCIPAL, person: 'me' }
        await updates.withdrawChangeRequest(who, await updates.proposeChange(me, proposal))
      },
    ],
    changeServing: [
      'release_manager',
      (who) => updates.changeServing(who, { ...STABLE, rolloutPct: 100 }),
    ],
    previewServing: [
      'release_manager',
      async (who) => {
        const preview = updates.previewServing(who, { ...STABLE, rolloutPct: 100 }, undefined)
        for await (const event of preview) if (event.type === 'result') return event
        return undefined
      },
    ],
    planWave: [
      'release_manager',
      (who) => updates.planWave(who, { ...STABLE, dryRun: false, devices: [device] }),
    ],
    report: ['release_manager', (who) => updates.report(who, { app: 'editor', devices: [device] })],
    mintKey: ['release_manager', (who) => updates.mintKey(who, { name: 'ci', app: 'editor' })],
    revokeKey: ['release_manager', (who) => updates.revokeKey(who, key.prefix)],
    forgetDevice: [
      'administrator',
      (who) => updates.forgetDevice(who, { app: 'editor', deviceId: 'one' }),
    ],
    renameApp: ['administrator', (who) => updates.renameApp(who, { app: 'editor', name: 'Mine' })],
    setAppArchived: [
      'administrator',
      (who) => updates.setAppArchived(who, { app: 'editor', archived: false }),
    ],
    createChannel: [
      'administrator',
      (who) => updates.createChannel(who, { app: 'editor', name: 'beta' }),
    ],
    setChannelPolicy: [
      'administrator',
      (who) => updates.setChannelPolicy(who, { ...STABLE, change: { updateMode: 'required' } }),
    ],
    removeChannel: ['administrator', (who) => updates.removeChannel(who, confirmed)],
    removeApp: ['administrator', (who) => updates.removeApp(who, confirmed)],
    administerBackups: [null, async (who) => updates.administerBackups(who)],
    createApp: [null, (who) => updates.createApp(who, { ref: 'player' })],
    listPeople: [null, (who) => updates.listPeople(who)],
    listSessions: [null, (who) => updates.listSessions(who, 'nobody')],
    invitePerson: [null, (who) => updates.invitePerson(who, { name: 'Mia', access: NO_ROLES })],
    createPersonLink: [null, (who) => updates.createPersonLink(who, 'nobody')],
    setPersonAccess: [
      null,
      (who) => updates.setPersonAccess(who, 'nobody', { access: NO_ROLES, seen: NO_ROLES }),
    ],
    setPersonDisabled: [null, (who) => updates.setPersonDisabled(who, 'nobody', true)],
    removePerson: [null, (who) => updates.removePerson(who, 'nobody', 'nobody')],
    endSessionsOf: [null, (who) => updates.endSessionsOf(who, 'nobody')],
    resetTwoFactor: [null, (who) => updates.resetTwoFactor(who, 'nobody')],
  }
  const known = Object.keys(updates).filter(
    (name) => !['installation', 'check', 'noteKeyUse'].includes(name),
  )
  expect(Object.keys(calls).toSorted()).toEqual(known.toSorted())
  const editor = (await updates.listKeys(PRINCIPAL)).find(({ appKey }) => appKey !== null)?.appKey
  for (const role of Role.options) {
    const access = { server: null, apps: new Map([[editor ?? 0, role]]) }
    for (const [name, [needs, call]] of Object.entries(calls)) {
      const outcome = await call({ actor: ACTOR, access, seesArchived: true, person: 'me' }).then(
        () => 'done',
        (error) => error.kind,
      )
      const isIncluded = needs !== null && includesRole(role, needs)
      expect.soft(outcome === 'forbidden', `${name} as ${role}: ${outcome}`).toBe(!isIncluded)
    }
  }
})

test('an archived app is unknown, or is seen and cannot be changed', async () => {
  const { updates } = await startWithApp()
  await updates.publishRelease(PRINCIPAL, PublishBody.parse(publishBody('1.0.0')))
  await updates.setAppArchived(PRINCIPAL, { app: 'editor', archived: true })
  const change = { ...STABLE, rolloutPct: 50 }
  const query = { ...PAGE, app: 'editor' }
  await expect(updates.changeServing(PRINCIPAL, change)).rejects.toMatchObject({ kind: 'unknown' })
  await expect(updates.listReleases(PRINCIPAL, query)).rejects.toMatchObject({ kind: 'unknown' })
  await expect(updates.changeServing(CONSOLE, change)).rejects.toMatchObject({
    facts: { code: 'app_archived', app: 'editor' },
  })
  const { releases } = await updates.listReleases(CONSOLE, query)
  expect(releases.map(({ release }) => release.version)).toEqual(['1.0.0'])
  expect((await updates.listReleases(CONSOLE, PAGE)).total).toBe(0)
  await updates.setAppArchived(CONSOLE, { app: 'editor', archived: false })
  expect(await updates.changeServing(PRINCIPAL, change)).toMatchObject({ changed: true })
})
