import type { Actor } from '../catalog/audit-log.ts'
import { requireApp, requireChannel } from '../catalog/catalog.ts'
import { Refusal } from '../catalog/errors.ts'
import type { CatalogApp, CatalogChannel, Snapshot } from '../catalog/snapshot.ts'

/** Who calls a use case, and what they see of the catalog. */
export interface Principal {
  /** Who the audit log names. */
  readonly actor: Actor
  /** The one app that they see, null for all: any other app is unknown to them. */
  readonly appKey: number | null
  /** False: an archived app is unknown to them. True: they see it, and cannot change it. */
  readonly seesArchived: boolean
}

/** A channel as a caller names it. `app` is a `ref` or an id. */
export interface ChannelPlace {
  readonly app: string
  readonly channel: string
}

/** Returns the app, as far as the principal sees it. Throws `unknown`. */
export function findApp(snapshot: Snapshot, principal: Principal, refOrId: string): CatalogApp {
  const app = appNamed(snapshot, principal, refOrId)
  const { appKey } = principal
  if (appKey === null || appKey === app.record.key) return app
  throw new Refusal({ code: 'unknown_app', app: refOrId })
}

/** Returns the channel, as far as the principal sees it. Throws `unknown`. */
export function findChannel(
  snapshot: Snapshot,
  principal: Principal,
  { app, channel }: ChannelPlace,
): CatalogChannel {
  return requireChannel(findApp(snapshot, principal, app), channel)
}

/** Returns an app that can be changed. Throws `unknown`, and `invariant` for an archived app. */
export function findActiveApp(
  snapshot: Snapshot,
  principal: Principal,
  refOrId: string,
): CatalogApp {
  const app = findApp(snapshot, principal, refOrId)
  if (app.record.archivedAt === null) return app
  throw new Refusal({ code: 'app_archived', app: refOrId })
}

/** Returns a channel of an app that can be changed. Throws `unknown` and `invariant`. */
export function findActiveChannel(
  snapshot: Snapshot,
  principal: Principal,
  { app, channel }: ChannelPlace,
): CatalogChannel {
  return requireChannel(findActiveApp(snapshot, principal, app), channel)
}

/** An archived app has given up neither its `ref` nor its id, but only some see it. */
function appNamed(snapshot: Snapshot, { seesArchived }: Principal, refOrId: string): CatalogApp {
  const archived = seesArchived
    ? snapshot.apps.find(({ record }) => record.ref === refOrId)
    : undefined
  return archived ?? requireApp(snapshot, refOrId)
}
