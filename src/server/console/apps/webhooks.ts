import { z } from 'zod'
import {
  DeliveryItem,
  MAX_SHOWN_DELIVERIES,
  WebhookChange,
  WebhookId,
  WebhookItem,
  WebhookWithSecret,
} from '../../../shared/console/webhooks.ts'
import { WebhookInput } from '../../../shared/events/webhook.ts'
import type { DeliveryRecord, WebhookRecord } from '../../outbound/outbox/store.ts'
import { type CommandContext, commandProcedure } from '../command-context.ts'
import { procedure, router } from '../trpc.ts'

const About = z.strictObject({ id: WebhookId })
const AboutDelivery = z.strictObject({ delivery: z.string().max(64) })

export const webhookRoutes = router({
  list: commandProcedure.output(z.array(WebhookItem)).query(async ({ ctx }) => {
    const webhooks = await ctx.updates.listWebhooks(ctx.principal)
    return webhooks.map(({ webhook, pending }) => describe(ctx, webhook, pending))
  }),

  deliveries: procedure
    .input(About)
    .output(z.array(DeliveryItem))
    .query(async ({ ctx: { updates, principal }, input: { id } }) => {
      const { store } = updates.administerWebhooks(principal)
      return (await store.deliveriesOf(id, MAX_SHOWN_DELIVERIES)).map(describeDelivery)
    }),

  delivery: commandProcedure
    .input(AboutDelivery)
    .output(DeliveryItem)
    .query(async ({ ctx: { updates, principal }, input: { delivery } }) =>
      describeDelivery(await updates.getDelivery(principal, delivery)),
    ),

  create: commandProcedure
    .input(WebhookInput)
    .output(WebhookWithSecret)
    .mutation(async ({ ctx, input }) => {
      const webhook = await ctx.updates.createWebhook(ctx.principal, input)
      return { webhook: describe(ctx, webhook), secret: webhook.secret }
    }),

  change: procedure
    .input(WebhookChange)
    .output(WebhookItem)
    .mutation(async ({ ctx, input: { id, ...change } }) =>
      describe(ctx, await ctx.updates.changeWebhook(ctx.principal, id, change)),
    ),

  setDisabled: commandProcedure
    .input(About.extend({ disabled: z.boolean() }))
    .output(WebhookItem)
    .mutation(async ({ ctx, input: { id, disabled } }) =>
      describe(ctx, await administer(ctx).setDisabled(ctx.principal.actor, id, disabled)),
    ),

  rotateSecret: procedure
    .input(About.extend({ seen: z.int() }))
    .output(WebhookWithSecret)
    .mutation(async ({ ctx, input: { id, seen } }) => {
      const webhook = await administer(ctx).rotateSecret(ctx.principal.actor, id, seen)
      return { webhook: describe(ctx, webhook), secret: webhook.secret }
    }),

  remove: commandProcedure
    .input(About)
    .output(z.void())
    .mutation(({ ctx, input: { id } }) => administer(ctx).remove(ctx.principal.actor, id)),

  test: commandProcedure
    .input(About)
    .output(DeliveryItem)
    .mutation(async ({ ctx, input: { id } }) =>
      describeDelivery(await administer(ctx).test(ctx.principal.actor, id)),
    ),

  redeliver: procedure
    .input(AboutDelivery)
    .output(z.void())
    .mutation(({ ctx, input }) => administer(ctx).redeliver(ctx.principal.actor, input.delivery)),
})

function administer({ updates, principal }: CommandContext) {
  return updates.administerWebhooks(principal)
}

function describe(
  { catalog }: Pick<CommandContext, 'catalog'>,
  webhook: WebhookRecord,
  pending = 0,
): WebhookItem {
  const { id, name, url, format, events, appKey, createdAt, revision } = webhook
  const { disabled, failingSince, previous, dropped } = webhook
  const app = catalog.snapshot.apps.find(({ record }) => record.key === appKey)
  return {
    ...{ id, name, url, format, events: [...events], app: app?.record.ref ?? null, createdAt },
    ...{ disabled, failingSince, pending, dropped, revision },
    previousSecretUntil: previous?.until ?? null,
  }
}

function describeDelivery(delivery: DeliveryRecord): DeliveryItem {
  const { to, giveUpAt, attempts, ...rest } = delivery
  return { ...rest, attempts: [...attempts] }
}
