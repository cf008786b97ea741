import { includesRole } from '../../../shared/access/role.ts'
import { type Attention, MAX_ATTENTION, Overview } from '../../../shared/console/overview.ts'
import { type CatalogApp, type CatalogChannel, releasesToProve } from '../../catalog/snapshot.ts'
import type { CatalogReads } from '../../catalog/store.ts'
import type { BucketOutage } from '../../hosting/bucket/bucket-failure.ts'
import { activeChannels, visibleApps } from '../../use-cases/principal.ts'
import type { ConsoleContext } from '../context.ts'
import type { RecentCounts } from '../fleet/recent-devices.ts'
import { channelTotalsOf, type TotalsByChannel } from '../fleet/up-to-date.ts'
import { procedure, router } from '../trpc.ts'
import { failingReleases } from './failing-releases.ts'
import { rolloutHealth, showApp } from './live-channels.ts'

/** The first screen. What concerns the server itself is for those who have a role on it. */
export const overviewRoutes = router({
  get: procedure.output(Overview).query(async ({ ctx }) => {
    const { catalog, principal } = ctx
    const apps = visibleApps(catalog.snapshot, principal)
    const { lost, failure, budgets } = ctx.telemetryOfAll()
    const seesServer = principal.access.server !== null
    const [recent, totals, health] = await Promise.all([
      ctx.recentDevices.get(),
      channelTotalsOf(ctx),
      rolloutHealth(ctx, apps),
    ])
    return {
      addresses: ctx.addresses(),
      apps: apps.map((app) => showApp(app, { recent, totals, health })),
      attention: {
        ...attentionOf(apps, recent, totals),
        ...(await failingReleases(ctx, apps)),
        ...(await failingArtifacts(catalog.store, apps)),
        provingFailed: seesServer && ctx.provingFailed(),
        plansFailed: seesServer && ctx.plansFailed(),
        bucketOutage: seesServer ? showOutage(ctx.bucketOutage()) : null,
        nodesNotServing: seesServer ? nodesNotServing(ctx) : 0,
        webhooks: await failingWebhooks(ctx),
      },
      telemetry: seesServer ? { lost, failure } : null,
      budgets: seesServer ? [...budgets] : [],
    }
  }),
})

/** Those that fail, and those that are disabled although nobody asked for it. */
async function failingWebhooks({
  updates,
  principal,
}: ConsoleContext): Promise<Overview['attention']['webhooks']> {
  if (!includesRole(principal.access.server, 'administrator')) return []
  const webhooks = await updates.listWebhooks(principal)
  return webhooks.flatMap(({ webhook: { id, name, disabled, failingSince } }) => {
    const isFailing = disabled === null ? failingSince !== null : disabled.by !== 'person'
    return isFailing ? [{ id, name, disabled: disabled !== null }] : []
  })
}

/** A node that starts gets its lease within that many milliseconds. */
const START_TIME = 30_000

function nodesNotServing({ nodes, catalog }: ConsoleContext): number {
  const since = catalog.now() - START_TIME
  const listed = nodes?.list().nodes ?? []
  return listed.filter((node) => node.leaseLeft === 0 && node.startedAt.getTime() < since).length
}

function showOutage(outage: BucketOutage | null): Overview['attention']['bucketOutage'] {
  return outage && { facts: outage.facts, since: new Date(outage.since).toISOString() }
}

type Failing = Pick<Attention, 'artifacts' | 'moreArtifacts'>

/** Returns the artifacts that devices cannot install, of releases that are served or wait for their proof. */
async function failingArtifacts(
  store: Pick<CatalogReads, 'proofs'>,
  apps: readonly CatalogApp[],
): Promise<Failing> {
  const releases = new Map(
    activeChannels(apps).flatMap((channel) =>
      releasesToProve(channel).map(({ facts }) => [facts.id, { channel, facts }]),
    ),
  )
  const proofs = releases.size === 0 ? [] : await store.proofs([...releases.keys()])
  const failing = proofs
    .flatMap(({ releaseId, position, failure, alarmedAt }) => {
      const release = releases.get(releaseId)
      const artifact = release?.facts.artifacts[position]
      if (release === undefined || artifact === undefined) return []
      if (failure === null || alarmedAt === null) return []
      const { channel, facts } = release
      const { platform, arch, kind } = artifact
      const place = { app: channel.app.ref, channel: channel.record.name, version: facts.version }
      return [{ ...place, platform, arch, kind, failure, since: alarmedAt }]
    })
    .toSorted((one, other) => (one.since < other.since ? -1 : 1))
  return {
    artifacts: failing.slice(0, MAX_ATTENTION),
    moreArtifacts: Math.max(0, failing.length - MAX_ATTENTION),
  }
}

/** Returns what needs attention of the apps, as `Attention` defines it. Reads what was counted already, not the devices. */
function attentionOf(
  apps: readonly CatalogApp[],
  recent: RecentCounts,
  totals: TotalsByChannel,
): Pick<Attention, 'withdrawn' | 'moreWithdrawn' | 'silent' | 'moreSilent'> {
  const channels = activeChannels(apps)
  const withdrawn = channels.flatMap((channel) => withdrawnOn(channel, recent))
  const silent = channels.flatMap((channel) => silenceOn(channel, recent, totals))
  return {
    withdrawn: mostDevices(withdrawn),
    moreWithdrawn: Math.max(0, withdrawn.length - MAX_ATTENTION),
    silent: mostDevices(silent),
    moreSilent: Math.max(0, silent.length - MAX_ATTENTION),
  }
}

function withdrawnOn(channel: CatalogChannel, recent: RecentCounts): Attention['withdrawn'] {
  const running = recent.get(channel.record.key)?.byVersion
  if (running === undefined) return []
  return channel.compiled.releases.flatMap(({ facts: { version, status } }) => {
    const devices = running.get(version) ?? 0
    return status === 'published' || devices === 0
      ? []
      : [{ ...placeOf(channel), version, status, devices }]
  })
}

function silenceOn(
  channel: CatalogChannel,
  recent: RecentCounts,
  totals: TotalsByChannel,
): Attention['silent'] {
  const devices = totals.get(channel.record.key)?.devices ?? 0
  const isSeen = (recent.get(channel.record.key)?.seen['7d'] ?? 0) > 0
  const isServed = channel.compiled.published.some(({ facts }) => facts.artifacts.length > 0)
  return devices === 0 || isSeen || !isServed ? [] : [{ ...placeOf(channel), devices }]
}

function placeOf({ app, record }: CatalogChannel) {
  return { app: app.ref, channel: record.name }
}

function mostDevices<Item extends { readonly devices: number }>(items: readonly Item[]): Item[] {
  return items.toSorted((one, other) => other.devices - one.devices).slice(0, MAX_ATTENTION)
}
