import { RESTORE_CONFIRMATION } from '../../../../src/shared/console/backups.ts'
import { EVERY_DEVICE } from '../../../../src/shared/targets.ts'
import type { Caller } from '../../../support/servers/console.ts'
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

const NO_ROLES = { server: null, apps: [] }

const ALL = ['allowed', 'allowed', 'allowed'] as const
const EVERYTHING = ['everything', 'everything', 'everything'] as const
const NONE = ['forbidden', 'forbidden', 'forbidden'] as const
const MANAGER = ['forbidden', 'allowed', 'allowed'] as const
const ADMINISTRATOR = ['forbidden', 'forbidden', 'allowed'] as const
const UNKNOWN = ['unknown', 'unknown', 'unknown'] as const
const FILTERED = ['filtered', 'filtered', 'filtered'] as const

/** Procedures about an app: for those who have the role in it, or on the server. */
const reads = cases(true, ['unknown', ALL, ALL])
const releases = cases(true, ['unknown', MANAGER, MANAGER])
const manages = cases(true, ['unknown', ADMINISTRATOR, ADMINISTRATOR])
/** Procedures about the server itself. */
const administers = cases(false, ['forbidden', ADMINISTRATOR, NONE])
const administersKeys = cases(false, ['unknown', ['forbidden', 'forbidden', 'everything'], UNKNOWN])
/** Procedures about everything that the caller sees. */
const lists = cases(false, ['filtered', EVERYTHING, FILTERED])
const readsLog = cases(false, ['forbidden', EVERYTHING, FILTERED])
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
  'releases.choices': reads((console, { app }) => console.releases.choices({ app, search: '' })),
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
  'releases.changeServing': releases((console, { app }) =>
    console.releases.changeServing({ ...releaseOf(app), status: 'paused' }),
  ),

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
  'channels.setPolicy': manages((console, { app }) =>
    console.channels.setPolicy({ app, channel: 'stable', policy: { updateMode: 'required' } }),
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

  'backups.status': administers((console) => console.backups.status()),
  'backups.now': administers((console) => console.backups.now()),
  'backups.check': administers((console, _app, { backup }) =>
    console.backups.check({ name: backup }),
  ),
  'backups.createDownload': administers((console, _app, { backup }) =>
    console.backups.createDownload({ name: backup }),
  ),
  'backups.checkUpload': administers((console) => console.backups.checkUpload({ bytes: 0 })),
  'backups.discardUpload': administers((console) => console.backups.discardUpload({ id: 'none' })),
  'backups.restoreStatus': administers((console) => console.backups.restoreStatus()),
  'backups.inspect': administers((console, _app, { backup }) =>
    console.backups.inspect({ kind: 'listed', name: backup }),
  ),
  'backups.restore': administers((console) =>
    console.backups.restore({
      source: { kind: 'listed', name: 'missing' },
      confirmation: RESTORE_CONFIRMATION,
    }),
  ),

  'search.find': lists((console) => console.search.find({ text: '1' })),
  'events.changes': everyone(async (console) => first(await console.events.changes())),
  'session.me': everyone((console) => console.session.me()),
  'status.get': everyone((console) => console.status.get()),
  'status.about': everyone((console) => console.status.about()),
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
