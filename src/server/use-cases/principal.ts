import { includesRole, type Role } from '../../shared/access/role.ts'
import type { Approval } from '../catalog/approvals/approval.ts'
import type { Actor, AuditScope } from '../catalog/audit-log.ts'
import { requireApp, requireChannel } from '../catalog/catalog.ts'
import { Refusal } from '../catalog/errors.ts'
import type { CatalogApp, CatalogChannel, Snapshot } from '../catalog/snapshot.ts'
import { type Access, roleIn } from './access.ts'

/** Who calls a use case, and what they see of the catalog. */
export interface Principal {
  /** Who the audit log names. */
  readonly actor: Actor
  /** The account of a person who signed in; there is none for keys and on the server's computer. */
  readonly accountId?: string
  /** The API key that calls. */
  readonly keyId?: number
  /** What they may do, and with it what they see: an app in which they have no role is unknown to them. */
  readonly access: Access
  /** False: an archived app is unknown to them. True: they see it, and cannot change it. */
  readonly seesArchived: boolean
  /** Who this is where two different people are needed; undefined for what is no person. */
  readonly person?: string | undefined
  /** True for an API key that may make changes that require approval. */
  readonly bypassesApproval?: boolean
}

const ACCOUNT = 'account:'

/** Returns the `person` of an account, which keeps its ID when it is renamed. */
export function personOfAccount(id: string): string {
  return ACCOUNT + id
}

/** Who asks for what takes turns. */
export type Asker = Pick<Principal, 'actor' | 'keyId' | 'person'>

/** Returns who calls, as one text: no two principals share one, also where names are the same. */
export function whoIs({
  actor,
  keyId,
  person = `${actor.kind}:${keyId ?? actor.name}`,
}: Asker): string {
  return person
}

/** Returns the ID of the account that is a `person`; null for a user of the server's computer. */
export function accountOfPerson(person: string): string | null {
  return person.startsWith(ACCOUNT) ? person.slice(ACCOUNT.length) : null
}

/** Returns the `person` of a user of the server's computer, in the desktop app and on the command line alike. */
export function personOfUser(name: string): string {
  return `user:${name}`
}

/** Returns what lets the principal make changes that require approval. */
export function approvalOf({ bypassesApproval }: Principal): Approval {
  return bypassesApproval === true ? { kind: 'bypass' } : null
}

/** A channel as a caller names it. `app` is a `ref` or an id. */
export interface ChannelPlace {
  readonly app: string
  readonly channel: string
}

/** Returns the apps that the principal sees, oldest first. */
export function visibleApps(
  { apps }: Pick<Snapshot, 'apps'>,
  { access, seesArchived }: Pick<Principal, 'access' | 'seesArchived'>,
): readonly CatalogApp[] {
  if (seesArchived && access.server !== null) return apps
  return apps.filter(
    ({ record }) =>
      (seesArchived || record.archivedAt === null) && roleIn(access, record.key) !== null,
  )
}

/** Returns the channels of apps, without those of archived ones. */
export function activeChannels(apps: readonly CatalogApp[]): CatalogChannel[] {
  return apps
    .filter(({ record }) => record.archivedAt === null)
    .flatMap(({ channels }) => [...channels.values()])
}

/** Returns the app for a principal with the role in it. Throws `unknown` for one they do not see, and `forbidden` for a lower role. */
export function findApp(
  snapshot: Snapshot,
  principal: Principal,
  refOrId: string,
  needs: Role,
): CatalogApp {
  const app = appNamed(snapshot, principal, refOrId)
  const role = roleIn(principal.access, app.record.key)
  if (role === null) throw new Refusal({ code: 'unknown_app', app: refOrId })
  if (includesRole(role, needs)) return app
  throw new Refusal({ code: 'forbidden', needs, app: app.record.ref })
}

/** Returns the channel for a principal who has the role in its app. Throws `unknown` and `forbidden`. */
export function findChannel(
  snapshot: Snapshot,
  principal: Principal,
  { app, channel }: ChannelPlace,
  needs: Role,
): CatalogChannel {
  return requireChannel(findApp(snapshot, principal, app, needs), channel)
}

/** Returns an app that can be changed. Throws `unknown`, `forbidden`, and `invariant` for an archived app. */
export function findActiveApp(
  snapshot: Snapshot,
  principal: Principal,
  refOrId: string,
  needs: Role,
): CatalogApp {
  const app = findApp(snapshot, principal, refOrId, needs)
  if (app.record.archivedAt === null) return app
  throw new Refusal({ code: 'app_archived', app: refOrId })
}

/** Returns a channel of an app that can be changed. Throws `unknown`, `forbidden` and `invariant`. */
export function findActiveChannel(
  snapshot: Snapshot,
  principal: Principal,
  { app, channel }: ChannelPlace,
  needs: Role,
): CatalogChannel {
  return requireChannel(findActiveApp(snapshot, principal, app, needs), channel)
}

/** An archived app has given up neither its `ref` nor its id, but only some see it. */
function appNamed(snapshot: Snapshot, { seesArchived }: Principal, refOrId: string): CatalogApp {
  const archived = seesArchived
    ? snapshot.apps.find(({ record }) => record.ref === refOrId)
    : undefined
  return archived ?? requireApp(snapshot, refOrId)
}

/** What entries are about that every role may read: people are not in it, and nothing that is added later. */
const FOR_ALL_ROLES = [
  'release',
  'artifact',
  'channel',
  'app',
  'key',
  'device',
  'database',
  'change_request',
  'file',
  'draft',
] as const

/**
 * Returns which entries of the audit log the principal sees. An administrator of the server sees all of them, every
 * other role on the server all but those about people and their accounts. Without a role on the server they are
 * the entries about apps that the principal sees, from the creation of the app on: an app that was removed may
 * have had the same ref. Throws `forbidden` for those who see no app at all.
 */
export function auditScope(snapshot: Snapshot, principal: Principal): AuditScope {
  const { server } = principal.access
  if (includesRole(server, 'administrator')) return {}
  if (server !== null) return { groups: FOR_ALL_ROLES }
  const apps = visibleApps(snapshot, principal)
  if (apps.length === 0) throw new Refusal({ code: 'forbidden', needs: 'viewer', app: null })
  return {
    groups: FOR_ALL_ROLES,
    apps: apps.map(({ record: { ref, createdAt } }) => ({ ref, since: createdAt })),
  }
}
