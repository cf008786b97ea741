import { basename } from 'node:path'
import type { ServerConfigInput } from '../../../../src/server/config.ts'
import type { Access } from '../../../../src/server/use-cases/access.ts'
import { Role } from '../../../../src/shared/access/role.ts'
import { PublishBody } from '../../../../src/shared/releases/release.ts'
import { ACTOR, PRINCIPAL } from '../../../support/builders/actor.ts'
import { rolloutPlan } from '../../../support/builders/plans.ts'
import { publishBody } from '../../../support/builders/releases.ts'
import { type Caller, callerOf } from '../../../support/servers/console.ts'
import { isOnPostgres } from '../../../support/servers/engine.ts'
import { webhookInput } from '../../../support/servers/receiver.ts'
import { startServer, type TestServer } from '../../../support/servers/server.ts'

/** Is part of every name of what those who have a role in the other app alone must not see. */
export const HIDDEN = 'hidden'
/** Is part of the entry of the audit log about a person. */
export const PERSON = 'ms-person'

/** An app, and what a procedure can be asked about it. */
export interface AppUnderTest {
  readonly app: string
  /** An app without releases that can be deleted. The roles in it are those in the other. */
  readonly doomed: string
  readonly device: string
  readonly forgettable: string
  readonly key: string
  /** Change requests: one of the caller, and two of somebody else. */
  readonly own: string
  readonly toApply: string
  readonly toDecline: string
}

export interface World {
  readonly server: TestServer
  readonly seen: AppUnderTest
  readonly hidden: AppUnderTest
  /** Prefix of a key for all apps. */
  readonly serverKey: string
  readonly backup: string
  /** IDs of accounts: one to change, one to delete. */
  readonly person: string
  readonly leaver: string
  readonly webhook: string
  /** To that webhook. */
  readonly delivery: string
}

/** The seven that call, by where they have which role. */
export const CALLERS = [
  'nobody',
  ...Role.options.map((role) => `server ${role}` as const),
  ...Role.options.map((role) => `app ${role}` as const),
] as const
export type CallerName = (typeof CALLERS)[number]

/** Two apps of the same kind, one of which is hidden from those who have a role in the other alone. */
export async function createWorld(config: Partial<ServerConfigInput> = {}): Promise<World> {
  let now = Date.now()
  // Every moment is another one: what happened before an app was created is older than it.
  const restoreHost = { restore() {}, last: () => null }
  const parts = { clock: () => (now += 1), restoreHost }
  const server = await startServer(config, undefined, parts)
  const desktop = callerOf(server)
  await desktop.apps.create({ ref: 'editor', name: `${HIDDEN} predecessor` })
  await desktop.apps.remove({ ref: 'editor', confirmation: 'editor' })
  const seen = await createApp(server, 'editor')
  const hidden = await createApp(server, HIDDEN)
  const { key } = await server.updates.mintKey(PRINCIPAL, { name: `${HIDDEN} for all` })
  await server.catalog.change((tx) =>
    tx.appendAudit({
      ...{ at: server.catalog.timestamp(), actor: ACTOR, action: 'person.invited', app: null },
      ...{ channel: null, version: null, before: null, after: { name: `${HIDDEN} ${PERSON}` } },
    }),
  )
  // Without backups of its own, there are no procedures to ask about one.
  const backup = isOnPostgres ? '' : basename((await desktop.backups.now()).file)
  const [person, leaver] = await Promise.all(
    ['person', 'leaver'].map(async (name) => {
      const invited = await desktop.people.invite({ name, access: { server: null, apps: [] } })
      return invited.person.id
    }),
  )
  if (person === undefined || leaver === undefined) throw new Error('nobody was invited')
  const names = { serverKey: key.prefix, backup }
  const { webhook } = await desktop.webhooks.create(webhookInput())
  const { id: delivery } = await desktop.webhooks.test({ id: webhook.id })
  return { server, seen, hidden, ...names, person, leaver, webhook: webhook.id, delivery }
}

async function createApp({ updates }: TestServer, app: string): Promise<AppUnderTest> {
  await updates.createApp(PRINCIPAL, { ref: app, name: `The ${app}` })
  const doomed = `${app}-doomed`
  await updates.createApp(PRINCIPAL, { ref: doomed })
  await updates.createChannel(PRINCIPAL, { app, name: 'spare' })
  const body = publishBody('1.0.0', { app, notes: `Notes of ${app}` })
  await updates.publishRelease(PRINCIPAL, PublishBody.parse(body))
  for (const version of ['0.8.0', '0.9.0']) {
    const planned = publishBody(version, {
      app,
      plan: rolloutPlan([
        [10, 1],
        [100, 1],
      ]),
    })
    await updates.publishRelease(PRINCIPAL, PublishBody.parse(planned))
  }
  for (const version of ['3.0.0', '3.1.0', '3.2.0']) {
    await updates.putDraft(PRINCIPAL, { app, channel: 'stable', version, notes: `Notes of ${app}` })
  }
  const { key } = await updates.mintKey(PRINCIPAL, { name: `ci of ${app}`, app })
  const [device, forgettable] = [`1-${app}`, `1-${app}-forgettable`]
  const requests = await proposeChanges({ updates }, app)
  const running = { version: '1.0.0', platform: 'darwin', arch: 'aarch64', labels: {} }
  await updates.report(PRINCIPAL, {
    app,
    devices: [device, forgettable].map((deviceId) => ({ deviceId, ...running })),
  })
  return { app, doomed, device, forgettable, key: key.prefix, ...requests }
}

/** The person at every console of the table. */
const PERSON_AT_CONSOLE = 'caller'

async function proposeChanges({ updates }: Pick<TestServer, 'updates'>, app: string) {
  await updates.createChannel(PRINCIPAL, { app, name: 'guarded' })
  const place = { app, channel: 'guarded' }
  await updates.setChannelPolicy(PRINCIPAL, { ...place, change: { requireApproval: true } })
  const propose = (version: string, person: string) => {
    const {
      app: _app,
      channel: _channel,
      version: _version,
      ...content
    } = PublishBody.parse(publishBody(version, { app }))
    const change = { kind: 'publish', ...content } as const
    return updates.proposeChange(
      { ...PRINCIPAL, person },
      { ...place, version, change, comment: '' },
    )
  }
  return {
    own: await propose('1.0.0', PERSON_AT_CONSOLE),
    toApply: await propose('1.1.0', 'somebody else'),
    toDecline: await propose('1.2.0', 'somebody else'),
  }
}

/** Returns what the console is to a caller of the world. */
export function consoleOf(world: World, name: CallerName, signal?: AbortSignal): Caller {
  return callerOf(world.server, signal, principalOf(world, name))
}

/** Returns who that caller is. */
export function principalOf(world: World, name: CallerName) {
  const access = accessOf(world, name)
  return { actor: ACTOR, access, seesArchived: true, person: PERSON_AT_CONSOLE }
}

/** Returns the access of a caller of the world. */
export function accessOf({ server: { catalog }, seen }: World, name: CallerName): Access {
  const [where, word] = name.split(' ')
  const role = Role.safeParse(word).data
  if (role === undefined) return { server: null, apps: new Map() }
  if (where === 'server') return { server: role, apps: new Map() }
  const apps = catalog.snapshot.apps.filter(({ record: { ref } }) =>
    [seen.app, seen.doomed].includes(ref),
  )
  return { server: null, apps: new Map(apps.map(({ record }) => [record.key, role])) }
}
