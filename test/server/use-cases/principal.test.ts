import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { accessOfKey, FULL_ACCESS } from '../../../src/server/use-cases/access.ts'
import type { Principal } from '../../../src/server/use-cases/principal.ts'
import { includesRole, Role } from '../../../src/shared/access/role.ts'
import { PublishBody } from '../../../src/shared/releases/release.ts'
import { EVERY_DEVICE } from '../../../src/shared/releases/targets.ts'
import { ACTOR, PRINCIPAL } from '../../support/builders/actor.ts'
import { rolloutPlan } from '../../support/builders/plans.ts'
import { publishBody } from '../../support/builders/releases.ts'
import { webhookInput } from '../../support/servers/receiver.ts'
import { startWithApp } from '../../support/servers/server.ts'

const CONSOLE: Principal = { actor: ACTOR, access: FULL_ACCESS, seesArchived: true }
const STABLE = { app: 'editor', channel: 'stable', version: '1.0.0' }
const PLANNED = { ...STABLE, version: '0.9.0' }
const PLAN = rolloutPlan([
  [10, 1],
  [100, 1],
])
const NO_ROLES = { server: null, apps: [] }
const PREVIEWED = { version: '1.0.0', platform: 'linux', arch: 'x86_64', bundle: '' }
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
    updates.showAdoption(bound, STABLE),
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
  await updates.publishRelease(PRINCIPAL, PublishBody.parse(publishBody('0.9.0', { plan: PLAN })))
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
  const draft = { app: 'editor', channel: 'stable', version: '9.0.0' }
  const upload = { name: 'Editor.exe', size: 1, sha512: null }
  const edited = { notes: '', artifacts: [] }
  const publication = { rolloutPct: 0, targets: EVERY_DEVICE, expect: [] }
  for (const each of ['9.0.0', '9.1.0', '9.2.0']) {
    await updates.putDraft(PRINCIPAL, { ...draft, version: each })
  }
  type UseCase = Exclude<
    keyof typeof updates,
    'installation' | 'check' | 'checkFeed' | 'noteKeyUse' | 'reportOutcome' | 'countSessions'
  >
  type Call = (principal: Principal) => Promise<unknown>
  /** What a role in the app does not include; null for none, which is for the server's alone. */
  const calls: Readonly<Record<UseCase, readonly [needs: Role | null, call: Call]>> = {
    getRelease: ['viewer', (who) => updates.getRelease(who, STABLE)],
    showAdoption: ['viewer', (who) => updates.showAdoption(who, STABLE)],
    showHealth: ['viewer', (who) => updates.showHealth(who, STABLE)],
    failuresByDay: ['viewer', (who) => updates.failuresByDay(who, STABLE)],
    preflight: ['release_manager', (who) => updates.preflight(who, STABLE)],
    followPreflight: [
      'release_manager',
      async (who) => {
        for await (const _ of updates.followPreflight(who, STABLE, undefined)) return
      },
    ],
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
    listChangeRequests: ['viewer', (who) => updates.listChangeRequests(who, { state: 'open' })],
    countPendingRequests: ['viewer', (who) => updates.countPendingRequests(who)],
    countApprovers: ['viewer', (who) => updates.countApprovers(who, { app: 'editor' })],
    getChangeRequest: ['viewer', (who) => updates.getChangeRequest(who, { id: request })],
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
        await updates.withdrawChangeRequest(who, { id: await updates.proposeChange(me, proposal) })
      },
    ],
    stopRelease: ['release_manager', (who) => updates.stopRelease(who, STABLE)],
    explainStop: [
      'release_manager',
      (who) => updates.explainStop(who, { ...STABLE, reason: 'It crashes' }),
    ],
    undoStop: [
      'release_manager',
      async (who) => {
        const stop = await updates.stopRelease(PRINCIPAL, STABLE)
        await updates.undoStop(who, { ...STABLE, stop: stop ?? 0 })
      },
    ],
    changeServing: [
      'release_manager',
      (who) => updates.changeServing(who, { ...STABLE, rolloutPct: 100 }),
    ],
    measureFile: [
      'release_manager',
      (who) =>
        updates
          .measureFile(who, { app: 'editor', url: 'https://a.example/b', size: 0 }, undefined)
          .next(),
    ],
    startProof: ['release_manager', (who) => updates.startProof(who, STABLE)],
    cancelProof: ['release_manager', (who) => updates.cancelProof(who, STABLE)],
    showProof: ['viewer', (who) => updates.showProof(who, STABLE)],
    releaseDownloads: ['viewer', (who) => updates.releaseDownloads(who, STABLE, null)],
    previewServing: [
      'release_manager',
      async (who) => {
        const preview = updates.previewServing(who, { ...STABLE, rolloutPct: 100 }, undefined)
        for await (const event of preview) if (event.type === 'result') return event
        return undefined
      },
    ],
    previewPublish: [
      'release_manager',
      async (who) => {
        const { notes: _, documents: __, ...body } = PublishBody.parse(publishBody('8.0.0'))
        for await (const _ of updates.previewPublish(who, body, undefined)) return
      },
    ],
    getPlan: ['viewer', (who) => updates.getPlan(who, STABLE)],
    setPlan: ['release_manager', (who) => updates.setPlan(who, { ...PLANNED, plan: PLAN })],
    suspendPlan: ['release_manager', (who) => updates.suspendPlan(who, PLANNED)],
    resumePlan: ['release_manager', (who) => updates.resumePlan(who, PLANNED)],
    forecastPlan: ['viewer', (who) => updates.forecastPlan(who, PLANNED)],
    removePlan: ['release_manager', (who) => updates.removePlan(who, PLANNED)],
    expectedDevices: [
      'viewer',
      async (who) => {
        for await (const _ of updates.expectedDevices(who, { ...PLANNED, plan: PLAN }, undefined))
          return
      },
    ],
    recommendPlan: ['viewer', (who) => updates.recommendPlan(who, STABLE)],
    planCalendar: ['viewer', (who) => updates.planCalendar(who)],
    setFreezes: ['release_manager', (who) => updates.setFreezes(who, { ...STABLE, freezes: [] })],
    putDraft: ['release_manager', (who) => updates.putDraft(who, { ...draft, notes: 'New' })],
    saveDraft: [
      'release_manager',
      (who) => updates.saveDraft(who, { ...draft, version: '9.3.0', content: edited, seen: null }),
    ],
    getDraft: ['viewer', (who) => updates.getDraft(who, draft)],
    listDrafts: ['viewer', (who) => updates.listDrafts(who, { ...PAGE, app: 'editor' })],
    previewDraft: ['viewer', (who) => updates.previewDraft(who, { ...draft, device: PREVIEWED })],
    publishDraft: [
      'release_manager',
      (who) => updates.publishDraft(who, { ...draft, version: '9.1.0', ...publication }),
    ],
    discardDraft: [
      'release_manager',
      (who) => updates.discardDraft(who, { ...draft, version: '9.2.0' }),
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
    showChannel: ['viewer', (who) => updates.showChannel(who, STABLE)],
    setEarlyAccess: [
      'release_manager',
      (who) => updates.setEarlyAccess(who, { ...STABLE, deviceId: 'one', earlyAccess: true }),
    ],
    setProving: [
      'administrator',
      (who) => updates.setProving(who, { app: 'editor', change: { hosts: ['downloads.example'] } }),
    ],
    removeChannel: ['administrator', (who) => updates.removeChannel(who, confirmed)],
    removeApp: ['administrator', (who) => updates.removeApp(who, confirmed)],
    beginUpload: ['release_manager', (who) => updates.beginUpload(who, upload)],
    appendPiece: [
      'release_manager',
      (who) => updates.appendPiece(who, { id: 'none', offset: 0 }, Readable.from([])),
    ],
    uploadFiles: ['release_manager', async (who) => updates.uploadFiles(who)],
    finishUpload: ['release_manager', (who) => updates.finishUpload(who, 'none')],
    findFile: ['release_manager', (who) => updates.findFile(who, { sha512: 'ab'.repeat(64) })],
    listUploads: ['viewer', (who) => updates.listUploads(who)],
    deleteUpload: ['release_manager', (who) => updates.deleteUpload(who, { id: 'ab'.repeat(16) })],
    listFiles: [null, (who) => updates.listFiles(who)],
    deleteFile: [null, (who) => updates.deleteFile(who, { sha512: 'ab'.repeat(64) })],
    administerBackups: [null, async (who) => updates.administerBackups(who)],
    recordBackupDownload: [
      null,
      (who) => updates.recordBackupDownload(who, { name: 'a.db', bytes: 1 }),
    ],
    createApp: [null, (who) => updates.createApp(who, { ref: 'player' })],
    listPeople: [null, (who) => updates.listPeople(who)],
    listSessions: [null, (who) => updates.listSessions(who, 'nobody')],
    invitePerson: [null, (who) => updates.invitePerson(who, { name: 'Mia', access: NO_ROLES })],
    createPersonLink: [null, (who) => updates.createPersonLink(who, 'nobody')],
    setPersonAccess: [
      null,
      (who) => updates.setPersonAccess(who, 'nobody', { access: NO_ROLES, seen: NO_ROLES }),
    ],
    setPersonEmail: [
      null,
      (who) => updates.setPersonEmail(who, 'nobody', { email: null, seen: null }),
    ],
    setPersonDisabled: [null, (who) => updates.setPersonDisabled(who, 'nobody', true)],
    removePerson: [
      null,
      (who) => updates.removePerson(who, { id: 'nobody', confirmation: 'nobody' }),
    ],
    endSessionsOf: [null, (who) => updates.endSessionsOf(who, 'nobody')],
    resetTwoFactor: [null, (who) => updates.resetTwoFactor(who, { id: 'nobody' })],
    listWebhooks: [null, (who) => updates.listWebhooks(who)],
    administerWebhooks: [null, async (who) => updates.administerWebhooks(who)],
    getDelivery: [null, (who) => updates.getDelivery(who, 'none')],
    createWebhook: [null, (who) => updates.createWebhook(who, webhookInput({ app: 'editor' }))],
    changeWebhook: [
      null,
      (who) => updates.changeWebhook(who, 'none', { ...webhookInput({ app: 'editor' }), seen: 1 }),
    ],
    restoreBackup: [null, (who) => updates.restoreBackup(who, { kind: 'uploaded', id: 'none' })],
  }
  const KEYLESS = [
    'installation',
    'check',
    'checkFeed',
    'noteKeyUse',
    'reportOutcome',
    'countSessions',
  ]
  const known = Object.keys(updates).filter((name) => !KEYLESS.includes(name))
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
