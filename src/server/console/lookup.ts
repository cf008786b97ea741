import { requireApp, requireChannel } from '../catalog/catalog.ts'
import { Refusal } from '../catalog/errors.ts'
import type { CatalogApp, CatalogChannel, Snapshot } from '../catalog/snapshot.ts'

/** The app with that `ref`, archived or not. Throws the refusal `unknown`. */
export function findApp(snapshot: Snapshot, ref: string): CatalogApp {
  const app = snapshot.apps.find(({ record }) => record.ref === ref)
  return app ?? requireApp(snapshot, ref)
}

/** The same; an archived app is refused, because nothing but its archive can change. */
export function findActiveApp(snapshot: Snapshot, ref: string): CatalogApp {
  const app = findApp(snapshot, ref)
  if (app.record.archivedAt === null) return app
  throw new Refusal({ code: 'app_archived', app: ref })
}

/** The channel of an app that is not archived. Throws `unknown` and `invariant`. */
export function findActiveChannel(
  snapshot: Snapshot,
  place: { app: string; channel: string },
): CatalogChannel {
  return requireChannel(findActiveApp(snapshot, place.app), place.channel)
}

/** Refuses unless what was typed is the very name of what is to be removed. */
export function requireConfirmation(typed: string, name: string): void {
  if (typed === name) return
  throw new Refusal({ code: 'unconfirmed', name })
}
