import { RESTORE_CONFIRMATION } from '../../../../src/shared/console/settings/backups.ts'
import { PublishBody } from '../../../../src/shared/releases/release.ts'
import { EVERY_DEVICE } from '../../../../src/shared/releases/targets.ts'
import { rolloutPlan } from '../../../support/builders/plans.ts'
import { publishBody } from '../../../support/builders/releases.ts'
import { type Caller, callerOf } from '../../../support/servers/console.ts'
import { webhookInput } from '../../../support/servers/receiver.ts'
import type { AppUnderTest, CallerName, World } from './world.ts'

/**
 * - `allowed`: answers what was asked about the app
 * - `everything`: answers, with what is hidden from those who have a role in the app alone
 * - `filtered`: answers, without it
 * - `forbidden`: the role is too low
 * - `unknown`: what is named does not exist for the caller
 */
export type Outcome = 'allowed' | 'everything' | 'filtered' | 'forbidden' | 'unknown'

export interface Case {
  readonly outcomes: Readonly<Record<CallerName, Outcome>>
  /** True for a procedure that names an app, or a key of one. */
  readonly namesApp: boolean
  call(console: Caller, app: AppUnderTest, world: World): Promise<unknown>
}

type Call = Case['call']
/** For the three roles, the lowest first. */
type ByRole = readonly [viewer: Outcome, manager: Outcome, administrator: Outcome]

const PLAN = rolloutPlan([
  [10, 1],
  [100, 1],
])
const HASH = 'ab'.repeat(64)
const NO_ROLES = { server: null, apps: [] }

const ALL = ['allowed', 'allowed', 'allowed'] as const
const EVERYTHING = ['everything', 'everything', 'everything'] as const
const NONE = ['forbidden', 'forbidden', 'forbidden'] as const
const MANAGER = ['forbidden', 'allowed', 'allowed'] as const
const ADMINISTRATOR = ['forbidden', 'forbidden', 'allowed'] as const
const UNKNOWN = ['unknown', 'unknown', 'unknown'] as const
/** The server under test stores no files, which only those hear whose role is high enough. */
const REACHES = ['forbidden', 'unknown', 'unknown'] as const
const FILTERED = ['filtered', 'filtered', 'filtered'] as const

/** Procedures about an app: for those who have the role in it, or on the server. */
const reads = cases(true, ['unknown', ALL, ALL])
const releases = cases(true, ['unknown', MANAGER, MANAGER])
const manages = cases(true, ['unknown', ADMINISTRATOR, ADMINISTRATOR])
/** Procedures about the server itself. */
const administers = cases(false, ['forbidden', ADMINISTRATOR, NONE])
const administersKeys = cases(false, ['unknown', ['forbidden', 'forbidden', 'everything'], UNKNOWN])
/** A preview of a restore names keys of every app. */
const inspects = cases(false, ['forbidden', ['forbidden', 'forbidden', 'everything'], NONE])
/** Procedures about everything that the caller sees. */
const lists = cases(false, ['filtered', EVERYTHING, FILTERED])
const readsLog = cases(false, ['forbidden', EVERYTHING, FILTERED])
const uploads = cases(false, ['forbidden', REACHES, REACHES])
const everyone = cases(false, ['allowed', ALL, ALL])

/** Every procedure of the console, and who may call it. */
export const PROCEDURES: Readonly<Record<string, Case | readonly Case[]>> = {
  'overview.get': lists((console) => console.overview.get()),

  'fleet.dashboard': reads((console, { app }) => console.fleet.dashboard({ app, range: '24h' })),
  'fleet.colors': reads((console, { app }) => console.fleet.colors({ app })),
  'fleet.live': reads(async (console, { app }) => first(await console.fleet.live({ app }))),

  'releases.list': lists((console) => console.releases.list({})),
  'releases.get': reads((console, { app }) => console.releases.get(releaseOf(app))),
  'releases.previous': reads((console, { app }) => console.releases.previous(releaseOf(app))),
  'releases.downloads': reads((console, { app }) => console.releases.downloads(releaseOf(app))),
  'releases.choices': reads((console, { app }) => console.releases.choices({ app, search: '' })),
  'releases.failures': reads((console, { app }) => console.releases.failures(releaseOf(app))),
  'releases.compare': reads((console, { app }) => {
    const { app: _, ...release } = releaseOf(app)
    return console.releases.compare({ app, from: release, to: release })
  }),
  'releases.checkVersion': reads((console, { app }) =>
    console.releases.checkVersion(releaseOf(app)),
  ),
  'releases.publish': releases((console, { app }) =>
    console.releases.publish({
      ...{ app, channel: 'stable', version: '2.0.0', notes: '', rolloutPct: 0, artifacts: [] },
    }),
  ),
  'releases.preview': releases(async (console, { app }) =>
    all(await console.releases.preview({ ...releaseOf(app), status: 'paused' })),
  ),
  'releases.previewPublish': releases(async (console, { app }) => {
    const { notes: _, documents: __, ...release } = PublishBody.parse(publishBody('8.0.0', { app }))
    return all(await console.releases.previewPublish(release))
  }),
  'releases.measure': releases(async (console, { app }) =>
    all(
      await console.releases.measure({ app, url: 'https://updates.example/Editor.dmg', size: 0 }),
    ),
  ),
  'releases.prove': releases((console, { app }) => console.releases.prove(releaseOf(app))),
  'releases.cancelProof': releases((console, { app }) =>
    console.releases.cancelProof(releaseOf(app)),
  ),
  'releases.preflight': releases((console, { app }) => console.releases.preflight(releaseOf(app))),
  'releases.followPreflight': releases(async (console, { app }) =>
    all(await console.releases.followPreflight(releaseOf(app))),
  ),
  'releases.proof': reads((console, { app }) => console.releases.proof(releaseOf(app))),
  'releases.stop': releases((console, { app }) => console.releases.stop(releaseOf(app))),
  'releases.explainStop': releases(async (console, { app }, { server }) => {
    await callerOf(server).releases.stop(releaseOf(app))
    await console.releases.explainStop({ ...releaseOf(app), reason: 'It crashes' })
  }),
  'releases.undoStop': releases(async (console, { app }, { server }) => {
    const desktop = callerOf(server)
    await desktop.releases.changeServing({ ...releaseOf(app), status: 'published' })
    const { stop } = await desktop.releases.stop(releaseOf(app))
    await console.releases.undoStop({ ...releaseOf(app), stop: stop ?? 0 })
  }),
  'releases.changeServing': releases((console, { app }) =>
    console.releases.changeServing({ ...releaseOf(app), status: 'paused' }),
  ),

  'plans.get': reads((console, { app }) => console.plans.get(plannedOf(app))),
  'plans.set': releases((console, { app }) => console.plans.set({ ...plannedOf(app), plan: PLAN })),
  'plans.suspend': releases((console, { app }) => console.plans.suspend(plannedOf(app))),
  'plans.resume': releases((console, { app }) => console.plans.resume(plannedOf(app))),
  'plans.forecast': reads((console, { app }) => console.plans.forecast(plannedOf(app))),
  'plans.expected': reads(async (console, { app }) =>
    all(await console.plans.expected({ ...plannedOf(app), plan: PLAN })),
  ),
  'plans.recommended': reads((console, { app }) =>
    console.plans.recommended({ app, channel: 'stable' }),
  ),
  'plans.calendar': lists((console) => console.plans.calendar()),
  'plans.remove': releases((console, { app }) =>
    console.plans.remove({ ...plannedOf(app), version: '0.8.0' }),
  ),

  'drafts.list': lists((console) => console.drafts.list({})),
  'drafts.get': reads((console, { app }) => console.drafts.get(draftOf(app))),
  'drafts.preview': reads((console, { app }) =>
    console.drafts.preview({
      ...draftOf(app),
      device: { version: '1.0.0', platform: 'linux', arch: 'x86_64', bundle: '' },
    }),
  ),
  'drafts.put': releases((console, { app }) => console.drafts.put(draftOf(app))),
  'drafts.save': releases((console, { app }) =>
    console.drafts.save({ ...draftOf(app, '3.3.0'), notes: '', artifacts: [], seen: null }),
  ),
  'drafts.publish': releases((console, { app }) => console.drafts.publish(draftOf(app, '3.1.0'))),
  'drafts.discard': releases((console, { app }) => console.drafts.discard(draftOf(app, '3.2.0'))),

  'changeRequests.list': lists((console) => console.changeRequests.list({ state: 'open' })),
  'changeRequests.pending': everyone((console) => console.changeRequests.pending()),
  'changeRequests.get': reads((console, { own }) => console.changeRequests.get({ id: own })),
  'changeRequests.preview': reads(async (console, { own }) =>
    all(await console.changeRequests.preview({ id: own })),
  ),
  'changeRequests.needed': releases((console, { app }) =>
    console.changeRequests.needed({ ...releaseOf(app), status: 'paused' }),
  ),
  'changeRequests.propose': releases((console, { app }) =>
    console.changeRequests.propose({
      ...{ app, channel: 'guarded', version: '2.0.0', comment: '' },
      change: { kind: 'publish', targets: EVERY_DEVICE, notes: '', rolloutPct: 5, artifacts: [] },
    }),
  ),
  'changeRequests.applyChange': releases((console, { toApply }) =>
    console.changeRequests.applyChange({ id: toApply, comment: '' }),
  ),
  'changeRequests.decline': releases((console, { toDecline }) =>
    console.changeRequests.decline({ id: toDecline, comment: '' }),
  ),
  'changeRequests.withdraw': reads((console, { own }) =>
    console.changeRequests.withdraw({ id: own }),
  ),

  'devices.list': reads((console, { app }) => console.devices.list({ app })),
  'devices.get': reads((console, { app, device }) =>
    console.devices.get({ app, deviceId: device }),
  ),
  'devices.checkIns': reads((console, { app, device }) =>
    console.devices.checkIns({ app, deviceId: device }),
  ),
  'devices.timeline': reads((console, { app, device }) =>
    console.devices.timeline({ app, deviceId: device }),
  ),
  'devices.explain': reads((console, { app, device }) =>
    console.devices.explain({ app, deviceId: device }),
  ),
  'devices.export': reads(async (console, { app }) => all(await console.devices.export({ app }))),
  'devices.forget': manages((console, { app, forgettable }) =>
    console.devices.forget({ app, deviceId: forgettable }),
  ),

  'apps.list': lists((console) => console.apps.list()),
  'apps.names': lists((console) => console.apps.names()),
  'apps.create': administers((console) => console.apps.create({ ref: 'new', name: 'New' })),
  'apps.rename': manages((console, { app }) => console.apps.rename({ ref: app, name: 'Renamed' })),
  'apps.setProving': manages((console, { app }) =>
    console.apps.setProving({ app, change: { hosts: ['downloads.example'] } }),
  ),
  'apps.setFreezes': releases((console, { app }) => console.apps.setFreezes({ app, freezes: [] })),
  'apps.setArchived': manages(async (console, { app }) => {
    await console.apps.setArchived({ ref: app, archived: true })
    return await console.apps.setArchived({ ref: app, archived: false })
  }),
  'apps.remove': manages((console, { doomed }) =>
    console.apps.remove({ ref: doomed, confirmation: doomed }),
  ),
  'apps.connect': reads((console, { app }) => console.apps.connect({ app, channel: 'stable' })),

  'channels.create': manages((console, { app }) => console.channels.create({ app, name: 'beta' })),
  'channels.policy': reads((console, { app }) =>
    console.channels.policy({ app, channel: 'stable' }),
  ),
  'channels.approvers': reads((console, { app }) => console.channels.approvers({ app })),
  'channels.setPolicy': [
    manages((console, { app }) =>
      console.channels.setPolicy({ app, channel: 'stable', policy: { updateMode: 'required' } }),
    ),
    releases((console, { app }) =>
      console.channels.setPolicy({ app, channel: 'stable', policy: { manualChecks: true } }),
    ),
    manages((console, { app }) =>
      console.channels.setPolicy({ app, channel: 'guarded', policy: { manualChecks: true } }),
    ),
  ],
  'channels.setEarlyAccess': releases((console, { app, device }) =>
    console.channels.setEarlyAccess({
      ...{ app, channel: 'stable', deviceId: device, earlyAccess: true },
    }),
  ),
  'channels.remove': manages((console, { app }) =>
    console.channels.remove({ app, channel: 'spare', confirmation: 'spare' }),
  ),

  'keys.list': lists((console) => console.keys.list()),
  'keys.mint': [
    releases((console, { app }) => console.keys.mint({ app, name: 'one', scopes: ['read'] })),
    manages((console, { app }) =>
      console.keys.mint({ app, name: 'sure', scopes: ['serve'], bypassApproval: true }),
    ),
    administers((console) => console.keys.mint({ app: null, name: 'all', scopes: ['read'] })),
  ],
  'keys.revoke': [
    releases((console, { key }) => console.keys.revoke({ prefix: key })),
    administersKeys((console, _app, { serverKey }) => console.keys.revoke({ prefix: serverKey })),
  ],

  'people.list': administers((console) => console.people.list()),
  'people.sessions': administers((console, _app, { person }) =>
    console.people.sessions({ id: person }),
  ),
  'people.invite': administers((console) =>
    console.people.invite({ name: 'Mia', access: NO_ROLES }),
  ),
  'people.createLink': administers((console, _app, { person }) =>
    console.people.createLink({ id: person }),
  ),
  'people.setAccess': administers((console, _app, { person }) =>
    console.people.setAccess({ id: person, access: NO_ROLES, seen: NO_ROLES }),
  ),
  'people.setEmail': administers((console, _app, { person }) =>
    console.people.setEmail({ id: person, email: 'person@example.com', seen: null }),
  ),
  'people.setDisabled': administers((console, _app, { person }) =>
    console.people.setDisabled({ id: person, disabled: true }),
  ),
  'people.endSessions': administers((console, _app, { person }) =>
    console.people.endSessions({ id: person }),
  ),
  'people.resetTwoFactor': administers((console, _app, { person }) =>
    console.people.resetTwoFactor({ id: person }),
  ),
  'people.remove': administers((console, _app, { leaver }) =>
    console.people.remove({ id: leaver, confirmation: 'leaver' }),
  ),

  'audit.list': readsLog((console) => console.audit.list({})),
  'audit.export': readsLog(async (console) => all(await console.audit.export({}))),

  'files.stored': everyone((console) => console.files.stored()),
  'files.list': cases(false, ['forbidden', UNKNOWN, NONE])((console) => console.files.list()),
  'files.uploads': cases(false, ['forbidden', UNKNOWN, UNKNOWN])((console) =>
    console.files.uploads(),
  ),
  'files.removeUpload': uploads((console) => console.files.removeUpload({ id: HASH.slice(0, 32) })),
  'files.find': uploads((console) => console.files.find({ sha512: HASH })),
  'files.begin': uploads((console) =>
    console.files.begin({ name: 'Editor.exe', size: 1, sha512: HASH }),
  ),
  'files.append': uploads((console) =>
    console.files.append({ id: HASH.slice(0, 32), offset: 0, content: new Uint8Array(1) }),
  ),
  'files.remove': cases(false, ['forbidden', REACHES, NONE])((console) =>
    console.files.remove({ sha512: HASH }),
  ),

  'nodes.list': cases(false, ['forbidden', ALL, NONE])((console) => console.nodes.list()),

  'backups.status': administers((console) => console.backups.status()),
  'backups.now': administers((console) => console.backups.now()),
  'backups.nowWithFiles': cases(false, ['forbidden', ['forbidden', 'forbidden', 'unknown'], NONE])(
    (console) => console.backups.nowWithFiles(),
  ),
  'backups.cancelFiles': administers((console) => console.backups.cancelFiles()),
  'backups.check': administers((console, _app, { backup }) =>
    console.backups.check({ name: backup }),
  ),
  'backups.createDownload': administers((console, _app, { backup }) =>
    console.backups.createDownload({ name: backup }),
  ),
  'backups.checkUpload': administers((console) => console.backups.checkUpload({ bytes: 0 })),
  'backups.discardUpload': administers((console) => console.backups.discardUpload({ id: 'none' })),
  'backups.restoreStatus': administers((console) => console.backups.restoreStatus()),
  'backups.inspect': inspects((console, _app, { backup }) =>
    console.backups.inspect({ kind: 'listed', name: backup }),
  ),
  'backups.restore': administers((console) =>
    console.backups.restore({
      source: { kind: 'listed', name: 'missing' },
      confirmation: RESTORE_CONFIRMATION,
    }),
  ),

  'webhooks.list': administers((console) => console.webhooks.list()),
  'webhooks.deliveries': administers((console, _app, { webhook }) =>
    console.webhooks.deliveries({ id: webhook }),
  ),
  'webhooks.delivery': administers((console, _app, { delivery }) =>
    console.webhooks.delivery({ delivery }),
  ),
  'webhooks.create': administers((console) => console.webhooks.create(webhookInput())),
  'webhooks.change': administers(async (console, _app, { webhook }) => {
    const seen = (await console.webhooks.list()).find(({ id }) => id === webhook)?.revision ?? 0
    return await console.webhooks.change({ ...webhookInput(), id: webhook, seen })
  }),
  'webhooks.setDisabled': administers((console, _app, { webhook }) =>
    console.webhooks.setDisabled({ id: webhook, disabled: false }),
  ),
  'webhooks.rotateSecret': administers(async (console, _app, { webhook }) => {
    const seen = (await console.webhooks.list()).find(({ id }) => id === webhook)?.revision ?? 0
    return await console.webhooks.rotateSecret({ id: webhook, seen })
  }),
  'webhooks.test': administers((console, _app, { webhook }) =>
    console.webhooks.test({ id: webhook }),
  ),
  'webhooks.redeliver': administers(async (console, _app, { webhook }) => {
    const [delivery] = await console.webhooks.deliveries({ id: webhook })
    return await console.webhooks.redeliver({ delivery: delivery?.id ?? 'none' })
  }),
  'webhooks.remove': administers(async (console) => {
    const { webhook } = await console.webhooks.create(webhookInput())
    return await console.webhooks.remove({ id: webhook.id })
  }),

  'search.find': lists((console) => console.search.find({ text: '1' })),
  'events.changes': everyone(async (console) => first(await console.events.changes())),
  'session.me': everyone((console) => console.session.me()),
  'session.confirm': everyone((console) => console.session.confirm({ password: 'any' })),
  'commandLine.releases': [
    lists((console) => console.commandLine.releases({})),
    reads((console, { app }) => console.commandLine.releases({ app })),
  ],
  'commandLine.release': reads((console, { app }) => console.commandLine.release(releaseOf(app))),
  'releases.health': reads((console, { app }) => console.releases.health(releaseOf(app))),
  'commandLine.adoption': reads((console, { app }) => console.commandLine.adoption(releaseOf(app))),
  'commandLine.device': reads((console, { app, device }) =>
    console.commandLine.device({ app, deviceId: device }),
  ),
  'commandLine.explain': reads((console, { app, device }) =>
    console.commandLine.explain({ app, deviceId: device, channel: 'stable', assumed: {} }),
  ),
  'commandLine.fleet': reads((console, { app }) => console.commandLine.fleet({ app })),
  'status.get': everyone((console) => console.status.get()),
  'status.about': everyone((console) => console.status.about()),
  'status.settings': administers((console) => console.status.settings()),
}

function cases(namesApp: boolean, [nobody, server, app]: readonly [Outcome, ByRole, ByRole]) {
  const outcomes = {
    nobody,
    'server viewer': server[0],
    'server release_manager': server[1],
    'server administrator': server[2],
    'app viewer': app[0],
    'app release_manager': app[1],
    'app administrator': app[2],
  }
  return (call: Call): Case => ({ outcomes, namesApp, call })
}

function draftOf(app: string, version = '3.0.0') {
  return { app, channel: 'stable', version }
}

function plannedOf(app: string) {
  return { app, channel: 'stable', version: '0.9.0' }
}

function releaseOf(app: string) {
  return { app, channel: 'stable', version: '1.0.0' }
}

async function first(events: AsyncIterable<unknown>): Promise<unknown> {
  for await (const event of events) return event
  throw new Error('there was no event')
}

async function all(events: AsyncIterable<unknown>): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const event of events) found.push(event)
  return found
}
