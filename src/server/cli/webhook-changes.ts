import { setTimeout as delay } from 'node:timers/promises'
import type { DeliveryItem, WebhookItem } from '../../shared/console/webhooks.ts'
import { Refusal } from '../catalog/errors.ts'
import {
  ChangedWebhookDocument,
  DeletedWebhookDocument,
  TestedWebhookDocument,
} from './documents/webhooks.ts'
import { Failure, UsageError } from './errors.ts'
import { EXIT } from './exit-codes.ts'
import type { CommandOptions } from './options.ts'
import { print, printJson } from './output.ts'
import type { CommandServer } from './server/calls.ts'
import { withServer } from './server/connect.ts'
import { text } from './strings/webhook.ts'

/** Seconds to wait for the first attempt, which takes 15 at most and may wait for that of another delivery. */
const PATIENCE = 60
/** Milliseconds between two looks. */
const INTERVAL = 250

/** `webhook disable` and `webhook enable`. Throws `unknown_webhook`, and `UsageError` for a name that several have. */
export async function setWebhookDisabled(
  named: string,
  disabled: boolean,
  options: CommandOptions,
): Promise<void> {
  const webhook = await withServer(options, async (server) => {
    const { id } = await findWebhook(server, named)
    return await server.webhooks.setDisabled.mutate({ id, disabled })
  })
  if (options.json) printJson(ChangedWebhookDocument, { webhook })
  else print(disabled ? text.disabled(webhook.name) : text.enabled(webhook.name))
}

/** `webhook delete`. Throws `unknown_webhook`, and `UsageError` for a name that several have. */
export async function deleteWebhook(named: string, options: CommandOptions): Promise<void> {
  const webhook = await withServer(options, async (server) => {
    const found = await findWebhook(server, named)
    await server.webhooks.remove.mutate({ id: found.id })
    return found
  })
  if (options.json) printJson(DeletedWebhookDocument, { webhook })
  else print(text.deleted(webhook.name))
}

/**
 * `webhook test`. Shows the first attempt. Throws `unknown_webhook`, `webhook_disabled`, `UsageError` for a name that
 * several have, and `Failure` if the attempt failed or was not made within 60 seconds.
 */
export async function testWebhook(named: string, options: CommandOptions): Promise<void> {
  const { webhook, delivery } = await withServer(options, async (server) => {
    const found = await findWebhook(server, named)
    const { id } = await server.webhooks.test.mutate({ id: found.id })
    return { webhook: found, delivery: await firstAttempt(server, found, id) }
  })
  const { state, attempts } = delivery
  const attempt = attempts.at(-1)
  const isDelivered = state === 'delivered' && attempt !== undefined
  if (options.json) {
    printJson(TestedWebhookDocument, { webhook, delivery })
    if (!isDelivered) process.exitCode = EXIT.failed
    return
  }
  if (!isDelivered) throw new Failure(text.failed(webhook.name, attempt, state === 'pending'))
  print(text.delivered(webhook.name, attempt))
}

/** Returns a delivery once it was tried or canceled. */
async function firstAttempt(
  server: CommandServer,
  { name }: WebhookItem,
  id: string,
): Promise<DeliveryItem> {
  const deadline = performance.now() + PATIENCE * 1_000
  for (;;) {
    const delivery = await server.webhooks.delivery.query({ delivery: id })
    if (delivery.tries > 0 || delivery.state !== 'pending') return delivery
    if (performance.now() >= deadline) throw new Failure(text.notSent(name, PATIENCE))
    await delay(INTERVAL)
  }
}

async function findWebhook(server: CommandServer, named: string): Promise<WebhookItem> {
  const webhooks = await server.webhooks.list.query()
  const byId = webhooks.find(({ id }) => id === named)
  if (byId !== undefined) return byId
  const [webhook, ...others] = webhooks.filter(({ name }) => name === named)
  if (webhook === undefined) throw new Refusal({ code: 'unknown_webhook' })
  if (others.length === 0) return webhook
  const ids = [webhook, ...others].map(({ id }) => id)
  throw new UsageError(text.ambiguous(named, ids))
}
