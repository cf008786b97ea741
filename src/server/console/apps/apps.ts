import { z } from 'zod'
import { AppDetail, AppName, ConnectSnippets, PolicyDetail } from '../../../shared/console/apps.ts'
import { SetFreezesInput } from '../../../shared/console/releases/plans.ts'
import { ChangeId } from '../../../shared/events/audit.ts'
import { ProvingSettings } from '../../../shared/files/proving.ts'
import {
  AppRef,
  AppRefOrId,
  ChannelName,
  ChannelPlace,
  DeviceId,
  DisplayName,
} from '../../../shared/names.ts'
import { ChannelPolicy } from '../../../shared/releases/channel.ts'
import { requireChannel } from '../../catalog/catalog.ts'
import type { CatalogApp } from '../../catalog/snapshot.ts'
import { findApp, visibleApps } from '../../use-cases/principal.ts'
import { type CommandContext, commandProcedure } from '../command-context.ts'
import { channelTotalsOf, type TotalsByChannel } from '../fleet/up-to-date.ts'
import { procedure, router } from '../trpc.ts'
import { snippetsFor } from './snippets/snippets.ts'

const AppOnly = z.strictObject({ ref: AppRef })

/** The screen of apps and channels: the apps. */
export const appRoutes = router({
  list: commandProcedure.output(z.array(AppDetail)).query(async ({ ctx }) => {
    const totals = await channelTotalsOf(ctx)
    return visibleApps(ctx.catalog.snapshot, ctx.principal).map((app) => showApp(app, totals))
  }),

  names: procedure.output(z.array(AppName)).query(({ ctx: { catalog, principal } }) =>
    visibleApps(catalog.snapshot, principal).map(({ record, channels }) => ({
      ref: record.ref,
      name: record.name,
      archived: record.archivedAt !== null,
      provable: record.proving.hosts.length > 0,
      channels: [...channels.values()].map((channel) => channel.record.name),
    })),
  ),

  create: commandProcedure
    .input(AppOnly.extend({ name: DisplayName }))
    .output(AppDetail)
    .mutation(({ ctx, input }) =>
      showNamed(ctx, input.ref, ctx.updates.createApp(ctx.principal, input)),
    ),

  rename: procedure
    .input(AppOnly.extend({ name: DisplayName }))
    .output(AppDetail)
    .mutation(({ ctx, input: { ref, name } }) =>
      showNamed(ctx, ref, ctx.updates.renameApp(ctx.principal, { app: ref, name })),
    ),

  setProving: commandProcedure
    .input(
      z.strictObject({
        app: AppRefOrId,
        change: ProvingSettings.partial(),
        /** The settings that the change was decided on. */
        seen: ProvingSettings.optional(),
      }),
    )
    .output(AppDetail)
    .mutation(({ ctx, input }) =>
      showNamed(ctx, input.app, ctx.updates.setProving(ctx.principal, input)),
    ),

  setFreezes: commandProcedure
    .input(SetFreezesInput)
    .output(AppDetail)
    .mutation(({ ctx, input }) =>
      showNamed(ctx, input.app, ctx.updates.setFreezes(ctx.principal, input)),
    ),

  setArchived: procedure
    .input(AppOnly.extend({ archived: z.boolean() }))
    .output(AppDetail)
    .mutation(({ ctx, input: { ref, archived } }) =>
      showNamed(ctx, ref, ctx.updates.setAppArchived(ctx.principal, { app: ref, archived })),
    ),

  remove: procedure
    .input(AppOnly.extend({ confirmation: z.string().max(100) }))
    .output(AppOnly)
    .mutation(async ({ ctx, input: { ref, confirmation } }) => {
      await ctx.updates.removeApp(ctx.principal, { app: ref, confirmation })
      return { ref }
    }),

  connect: procedure
    .input(ChannelPlace)
    .output(ConnectSnippets)
    .query(async ({ ctx, input }) => {
      const app = findApp(await ctx.catalog.refresh(), ctx.principal, input.app, 'viewer')
      requireChannel(app, input.channel)
      const addresses = ctx.addresses()
      const snippets = addresses.flatMap(({ url }) => snippetsFor(url, input))
      return { addresses, snippets }
    }),
})

/** The screen of apps and channels: the channels. Each procedure returns the app afterwards. */
export const channelRoutes = router({
  create: commandProcedure
    .input(z.strictObject({ app: AppRefOrId, name: ChannelName }))
    .output(AppDetail)
    .mutation(({ ctx, input }) =>
      showNamed(ctx, input.app, ctx.updates.createChannel(ctx.principal, input)),
    ),

  policy: commandProcedure
    .input(ChannelPlace)
    .output(PolicyDetail)
    .query(async ({ ctx, input }) => {
      const { channel, history } = await ctx.updates.showChannel(ctx.principal, input)
      const { policy, lastChange } = channel
      return { policy, lastChange, history: [...history] }
    }),

  /** How many other people can approve what this one requests. */
  approvers: procedure
    .input(z.strictObject({ app: AppRef }))
    .output(z.int())
    .query(({ ctx, input }) => ctx.updates.countApprovers(ctx.principal, input)),

  setPolicy: commandProcedure
    .input(
      ChannelPlace.extend({ policy: ChannelPolicy.partial(), seenChange: ChangeId.optional() }),
    )
    .output(AppDetail)
    .mutation(({ ctx, input: { app, channel, policy, seenChange } }) => {
      const change = { app, channel, change: policy, seen: seenChange }
      return showNamed(ctx, app, ctx.updates.setChannelPolicy(ctx.principal, change))
    }),

  setEarlyAccess: procedure
    .input(ChannelPlace.extend({ deviceId: DeviceId, earlyAccess: z.boolean() }))
    .output(z.strictObject({ changed: z.boolean() }))
    .mutation(async ({ ctx, input }) => {
      const { changed } = await ctx.updates.setEarlyAccess(ctx.principal, input)
      return { changed }
    }),

  remove: procedure
    .input(ChannelPlace.extend({ confirmation: z.string().max(100) }))
    .output(AppDetail)
    .mutation(({ ctx, input }) =>
      showNamed(ctx, input.app, ctx.updates.removeChannel(ctx.principal, input)),
    ),
})

async function showNamed(ctx: CommandContext, ref: string, change: Promise<unknown>) {
  await change
  const totals = await channelTotalsOf(ctx)
  return showApp(findApp(ctx.catalog.snapshot, ctx.principal, ref, 'viewer'), totals)
}

function showApp(app: CatalogApp, totals: TotalsByChannel): AppDetail {
  const { id, ref, name, createdAt, archivedAt, proving, freezes } = app.record
  const channels = [...app.channels.values()].map(({ record, compiled }) => ({
    name: record.name,
    policy: record.policy,
    createdAt: record.createdAt,
    releases: compiled.releases.length,
    served: compiled.published.filter(({ facts }) => facts.artifacts.length > 0).length,
  }))
  return {
    ref,
    id,
    name,
    createdAt,
    archived: archivedAt !== null,
    proving: { ...proving, hosts: [...proving.hosts] },
    freezes: [...freezes],
    devices: [...app.channels.values()].reduce(
      (sum, { record }) => sum + (totals.get(record.key)?.devices ?? 0),
      0,
    ),
    channels,
  }
}
