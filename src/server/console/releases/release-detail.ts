import type { HistoryEntry, ReleaseDetail, ReleasePlace } from '../../../shared/console/releases.ts'
import type { AuditRecord } from '../../catalog/audit-log.ts'
import { requireChannel, unknownRelease } from '../../catalog/catalog.ts'
import { showRelease } from '../../catalog/show-release.ts'
import { presenceOf } from '../../updates/presence.ts'
import { findApp } from '../../updates/principal.ts'
import type { ConsoleContext } from '../context.ts'

/** Most changes that a release's history shows. */
const MAX_HISTORY = 200

/** Returns a release, the devices that run it, and its history. Throws the refusal `unknown`. */
export async function releaseDetail(
  ctx: ConsoleContext,
  place: ReleasePlace,
): Promise<ReleaseDetail> {
  const { catalog } = ctx
  const app = findApp(await catalog.refresh(), ctx.principal, place.app)
  const channel = requireChannel(app, place.channel)
  const { version } = place
  const release = channel.compiled.releases.find(({ facts }) => facts.version === version)?.facts
  if (release === undefined) throw unknownRelease(channel, version)
  const [presence, recent, audit] = await Promise.all([
    presenceOf(ctx, app.record.key),
    ctx.recentDevices.get(),
    catalog.store.auditOf(place, MAX_HISTORY),
  ])
  // The log also has changes of a removed app or channel that had the same name.
  const own = audit.filter(({ at }) => at >= release.createdAt)
  return {
    release: showRelease(channel, release),
    devices: presence.devicesOn(place.channel, version),
    seenLast7Days: recent.get(channel.record.key)?.byVersion.get(version) ?? 0,
    history: own.map(showEntry),
  }
}

function showEntry({ id, at, actor, action, before, after }: AuditRecord): HistoryEntry {
  return { id, at, actor, action, before, after }
}
