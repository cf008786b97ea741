import { hash } from 'node:crypto'
import { MAX_WEBHOOKS, TEST_EVENT, type WebhookInput } from '../../../shared/events/webhook.ts'
import { type Actor, audit } from '../../catalog/audit-log.ts'
import { Refusal, temporarily } from '../../catalog/errors.ts'
import { GIVE_UP } from './retry.ts'
import type {
  DeliveryRecord,
  OutboxEvent,
  OutboxStore,
  OutboxWrites,
  WebhookRecord,
} from './store.ts'
import { drawSecret } from './webhook-sender.ts'
import { requireUrl } from './webhook-url.ts'

/** Milliseconds that the secret before a rotation still signs. */
const PREVIOUS_SECRET = 24 * 3_600_000

export interface WebhooksParts {
  readonly store: OutboxStore
  /** Hosts that may be private, see `isAllowedPrivate`; null where only the sending server knows them, and refuses others. */
  readonly privateHosts: readonly string[] | null
  readonly clock: () => number
  readonly newId: () => string
  /** Called when something became due. */
  readonly wake: () => void
}

/** What people set, with the app by its key. */
export type WebhookSettings = Omit<WebhookInput, 'app'> & { readonly appKey: number | null }

/** The webhooks of a server: their rules. Each change and its audit entry are one transaction. */
export class Webhooks {
  readonly #parts: WebhooksParts

  constructor(parts: WebhooksParts) {
    this.#parts = parts
  }

  get store(): OutboxStore {
    return this.#parts.store
  }

  /** Adds a webhook. The secret is for the answer to who created it alone. Throws `invalid` (URL) and `invariant` (too many). */
  async create(actor: Actor, settings: WebhookSettings): Promise<WebhookRecord> {
    const url = requireUrl(settings.url, this.#parts.privateHosts)
    return await this.#change(async (tx, at) => {
      if ((await tx.webhooks()).length >= MAX_WEBHOOKS) {
        throw new Refusal({ code: 'too_many_webhooks', maximum: MAX_WEBHOOKS })
      }
      const webhook: WebhookRecord = {
        ...{ ...settings, url, id: this.#parts.newId(), secret: drawSecret(), previous: null },
        ...{ createdAt: at, disabled: null, failingSince: null, dropped: 0, revision: 1 },
      }
      await audit(tx, at, actor, 'webhook.created', {}, null, inLog(webhook))
      await tx.insertWebhook(webhook)
      return webhook
    })
  }

  /** Replaces what people set. `seen`: the revision that the form shows. Throws `invalid`, `unknown` and `invariant`. */
  async change(
    actor: Actor,
    id: string,
    settings: WebhookSettings,
    seen: number,
  ): Promise<WebhookRecord> {
    const url = requireUrl(settings.url, this.#parts.privateHosts)
    return await this.#change(async (tx, at) => {
      const before = await requireWebhook(tx, id)
      refuseChanged(before, seen)
      const after = { ...before, ...settings, url, revision: before.revision + 1 }
      await audit(tx, at, actor, 'webhook.changed', {}, inLog(before), inLog(after))
      await tx.setWebhook(after)
      return after
    })
  }

  /** Disables or enables a webhook. Nothing that happened meanwhile is sent. Throws `unknown`. */
  async setDisabled(actor: Actor, id: string, isDisabled: boolean): Promise<WebhookRecord> {
    return await this.#change(async (tx, at) => {
      const before = await requireWebhook(tx, id)
      if ((before.disabled !== null) === isDisabled) return before
      const disabled = isDisabled ? ({ at, by: 'person' } as const) : null
      const after = { ...before, disabled, revision: before.revision + 1 }
      const action = isDisabled ? 'webhook.disabled' : 'webhook.enabled'
      await audit(tx, at, actor, action, {}, null, { name: before.name })
      await tx.setWebhook(after)
      await tx.cancelDeliveries(id)
      return { ...after, failingSince: null }
    })
  }

  /** Draws a new secret. Deliveries are signed with both for 24 hours. Throws `unknown` and `invariant`. */
  async rotateSecret(actor: Actor, id: string, seen: number): Promise<WebhookRecord> {
    return await this.#change(async (tx, at) => {
      const before = await requireWebhook(tx, id)
      refuseChanged(before, seen)
      const until = new Date(this.#parts.clock() + PREVIOUS_SECRET).toISOString()
      const previous = { secret: before.secret, until }
      const after = { ...before, secret: drawSecret(), previous, revision: before.revision + 1 }
      await audit(tx, at, actor, 'webhook.secret_rotated', {}, null, { name: before.name })
      await tx.setWebhook(after)
      return after
    })
  }

  /** Deletes a webhook with its deliveries. Throws `unknown`. */
  async remove(actor: Actor, id: string): Promise<void> {
    await this.#change(async (tx, at) => {
      const webhook = await requireWebhook(tx, id)
      await audit(tx, at, actor, 'webhook.removed', {}, inLog(webhook), null)
      await tx.removeWebhook(id)
    })
  }

  /** Sends a test event. Throws `unknown`, and `invariant` while the webhook is disabled. */
  async test(actor: Actor, id: string): Promise<DeliveryRecord> {
    return await this.#change(async (tx, at) => {
      const webhook = requireEnabled(await requireWebhook(tx, id))
      const who = { kind: actor.kind, name: actor.name }
      const event: OutboxEvent = {
        ...{ type: TEST_EVENT, timestamp: at },
        data: { webhook: webhook.name, actor: who },
      }
      const delivery: DeliveryRecord = {
        ...{ id: `evt_${this.#parts.newId()}`, to: { kind: 'webhook', webhookId: id } },
        ...{ type: event.type, payload: JSON.stringify(event), state: 'pending' },
        ...{ createdAt: at, giveUpAt: this.#giveUpAt(), nextAt: at, tries: 0, attempts: [] },
      }
      await tx.insertDelivery(delivery)
      return delivery
    })
  }

  /** Sends a delivery again, under its old ID. Throws `unknown`, and `invariant` while the webhook is disabled. */
  async redeliver(actor: Actor, id: string): Promise<void> {
    await this.#change(async (tx, at) => {
      const delivery = await tx.delivery(id)
      if (delivery?.to.kind !== 'webhook') throw new Refusal({ code: 'unknown_delivery' })
      const { name } = requireEnabled(await requireWebhook(tx, delivery.to.webhookId))
      const after = { name, event: delivery.type }
      await audit(tx, at, actor, 'webhook.redelivered', {}, null, after)
      await tx.requeue(id, at, this.#giveUpAt())
    })
  }

  async #change<T>(work: (tx: OutboxWrites, at: string) => Promise<T>): Promise<T> {
    const at = new Date(this.#parts.clock()).toISOString()
    const result = await temporarily(() => this.#parts.store.transact((tx) => work(tx, at)))
    this.#parts.wake()
    return result
  }

  #giveUpAt(): string {
    return new Date(this.#parts.clock() + GIVE_UP).toISOString()
  }
}

/** A webhook as the audit log has it. The path of an address can be a secret: a change of it shows as another fingerprint. */
function inLog({ name, url, format, events, appKey }: WebhookRecord) {
  const { origin, href } = new URL(url)
  const fingerprint = hash('sha256', href, 'hex').slice(0, 8)
  return { name, address: origin, fingerprint, format, events, allApps: appKey === null }
}

async function requireWebhook(tx: Pick<OutboxWrites, 'webhooks'>, id: string) {
  const webhook = (await tx.webhooks()).find((each) => each.id === id)
  if (webhook === undefined) throw new Refusal({ code: 'unknown_webhook' })
  return webhook
}

function requireEnabled(webhook: WebhookRecord): WebhookRecord {
  if (webhook.disabled === null) return webhook
  throw new Refusal({ code: 'webhook_disabled', name: webhook.name })
}

function refuseChanged({ name, revision }: WebhookRecord, seen: number): void {
  if (revision !== seen) throw new Refusal({ code: 'webhook_changed', name })
}
