import type { WebhookInput } from '../../../shared/webhook.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { Refusal } from '../../catalog/errors.ts'
import type { DeliveryRecord, WebhookRecord } from '../../outbox/store.ts'
import type { WebhookSettings, Webhooks } from '../../outbox/webhooks.ts'
import { requireServerRole } from '../access.ts'
import { findApp, type Principal } from '../principal.ts'

/** What the use cases about webhooks work with. All need the role `administrator` on the server. */
export interface WebhookParts {
  readonly catalog: Catalog
  readonly webhooks: Webhooks
}

/** Returns all webhooks, oldest first, with the number of deliveries that wait. Throws `forbidden`. */
export async function listWebhooks({ webhooks }: WebhookParts, { access }: Principal) {
  requireServerRole(access, 'administrator')
  const pending = await webhooks.store.pending()
  const all = await webhooks.store.webhooks()
  return all.map((webhook) => ({ webhook, pending: pending.get(webhook.id) ?? 0 }))
}

/** Returns the latest deliveries of a webhook, newest first. Throws `forbidden`. */
export async function listDeliveries(
  { webhooks }: WebhookParts,
  { access }: Principal,
  id: string,
  limit: number,
): Promise<readonly DeliveryRecord[]> {
  requireServerRole(access, 'administrator')
  return await webhooks.store.deliveriesOf(id, limit)
}

/** Returns one delivery to a webhook. Throws `forbidden` and `unknown`. */
export async function getDelivery(
  { webhooks }: WebhookParts,
  { access }: Principal,
  id: string,
): Promise<DeliveryRecord> {
  requireServerRole(access, 'administrator')
  const delivery = await webhooks.store.delivery(id)
  if (delivery?.to.kind !== 'webhook') throw new Refusal({ code: 'unknown_delivery' })
  return delivery
}

/** Adds a webhook. Throws `forbidden`, `unknown` (app), `invalid` (URL) and `invariant` (too many). */
export async function createWebhook(
  { catalog, webhooks }: WebhookParts,
  principal: Principal,
  input: WebhookInput,
): Promise<WebhookRecord> {
  requireServerRole(principal.access, 'administrator')
  const settings = await settingsOf(catalog, principal, input)
  return await webhooks.create(principal.actor, settings)
}

/** Replaces the settings of a webhook. Throws as `createWebhook` does, and `unknown`. */
export async function changeWebhook(
  { catalog, webhooks }: WebhookParts,
  principal: Principal,
  id: string,
  { seen, ...input }: WebhookInput & { readonly seen: number },
): Promise<WebhookRecord> {
  requireServerRole(principal.access, 'administrator')
  const settings = await settingsOf(catalog, principal, input)
  return await webhooks.change(principal.actor, id, settings, seen)
}

/** Disables a webhook, or enables it. Throws `forbidden` and `unknown`. */
export async function setWebhookDisabled(
  { webhooks }: WebhookParts,
  { access, actor }: Principal,
  id: string,
  isDisabled: boolean,
): Promise<WebhookRecord> {
  requireServerRole(access, 'administrator')
  return await webhooks.setDisabled(actor, id, isDisabled)
}

/** Draws a new secret for a webhook. Throws `forbidden`, `unknown` and `invariant`. */
export async function rotateWebhookSecret(
  { webhooks }: WebhookParts,
  { access, actor }: Principal,
  id: string,
  seen: number,
): Promise<WebhookRecord> {
  requireServerRole(access, 'administrator')
  return await webhooks.rotateSecret(actor, id, seen)
}

/** Deletes a webhook. Throws `forbidden` and `unknown`. */
export async function removeWebhook(
  { webhooks }: WebhookParts,
  { access, actor }: Principal,
  id: string,
): Promise<void> {
  requireServerRole(access, 'administrator')
  await webhooks.remove(actor, id)
}

/** Sends a test event. Throws `forbidden`, `unknown` and `invariant`. */
export async function testWebhook(
  { webhooks }: WebhookParts,
  { access, actor }: Principal,
  id: string,
): Promise<DeliveryRecord> {
  requireServerRole(access, 'administrator')
  return await webhooks.test(actor, id)
}

/** Sends a delivery again. Throws `forbidden`, `unknown` and `invariant`. */
export async function redeliver(
  { webhooks }: WebhookParts,
  { access, actor }: Principal,
  deliveryId: string,
): Promise<void> {
  requireServerRole(access, 'administrator')
  await webhooks.redeliver(actor, deliveryId)
}

async function settingsOf(
  catalog: Catalog,
  principal: Principal,
  { app, ...settings }: WebhookInput,
): Promise<WebhookSettings> {
  if (app === null) return { ...settings, appKey: null }
  const { record } = findApp(await catalog.refresh(), principal, app, 'viewer')
  return { ...settings, appKey: record.key }
}
