import type { WebhookInput } from '../../../shared/events/webhook.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { Refusal } from '../../catalog/errors.ts'
import type { DeliveryRecord, WebhookRecord } from '../../outbound/outbox/store.ts'
import type { WebhookSettings, Webhooks } from '../../outbound/outbox/webhooks.ts'
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

/** Returns what administrators of the server do with webhooks and their deliveries. Throws `forbidden` for everyone else. */
export function administerWebhooks(
  { webhooks }: WebhookParts,
  { access }: Principal,
): Omit<Webhooks, 'create' | 'change'> {
  requireServerRole(access, 'administrator')
  return webhooks
}

/** Returns one delivery to a webhook. Throws `forbidden` and `unknown`. */
export async function getDelivery(
  parts: WebhookParts,
  principal: Principal,
  id: string,
): Promise<DeliveryRecord> {
  const delivery = await administerWebhooks(parts, principal).store.delivery(id)
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

async function settingsOf(
  catalog: Catalog,
  principal: Principal,
  { app, ...settings }: WebhookInput,
): Promise<WebhookSettings> {
  if (app === null) return { ...settings, appKey: null }
  const { record } = findApp(await catalog.refresh(), principal, app, 'viewer')
  return { ...settings, appKey: record.key }
}
