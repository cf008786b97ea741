import { audit, SERVER } from '../../catalog/audit-log.ts'
import { type AttemptResult, nextAttempt } from './retry.ts'
import type {
  DeliveryRecord,
  OutboxStore,
  OutboxWrites,
  PushSubscriptionRecord,
  Settlement,
  WebhookRecord,
} from './store.ts'

/** Attempts that the log of a delivery keeps. */
const KEPT_ATTEMPTS = 20
/** Milliseconds without a success after which a webhook is disabled. */
const DISABLE_AFTER = 3 * 24 * 3_600_000
export const LEADING = { leading: 'outbox' } as const

/** What a delivery goes to, besides an address of mail. */
export interface Receiver {
  readonly webhook?: WebhookRecord | undefined
  readonly subscription?: PushSubscriptionRecord | undefined
}

interface Attempted {
  readonly delivery: DeliveryRecord
  readonly receiver: Receiver
  readonly result: AttemptResult
  /** Unix time in milliseconds. */
  readonly now: number
}

/** Stores what came of an attempt. Throws what the store throws. */
export async function settleAttempt(
  store: OutboxStore,
  { delivery, receiver: { webhook, subscription }, result, now }: Attempted,
): Promise<void> {
  const { attempt, delivered, gone, retryAfter } = result
  const tries = delivery.tries + 1
  const nextAt = delivered || gone ? null : nextAttempt({ ...delivery, tries }, now, retryAfter)
  const unsent = nextAt === null ? 'failed' : 'pending'
  const attempts = [...delivery.attempts, attempt].slice(-KEPT_ATTEMPTS)
  const state = delivered ? 'delivered' : unsent
  // What people get can hold a link, which nobody needs here once it is sent.
  const payload = delivery.to.kind !== 'webhook' && state !== 'pending' ? '{}' : delivery.payload
  const seen = delivery.nextAt
  const settled = { id: delivery.id, seen, state, nextAt, tries, attempts, payload } as const
  await store.transact(async (tx) => {
    const outcome = { settled, result, at: new Date(now).toISOString() }
    if (webhook !== undefined) await settleWebhook(tx, webhook, outcome)
    else if (subscription !== undefined) await settlePush(tx, subscription, outcome)
    else await tx.settle({ delivery: settled })
  }, LEADING)
}

/** Cancels a delivery of which its recipient can see nothing any more. Throws what the store throws. */
export async function settleUnseen(
  store: OutboxStore,
  { id, nextAt: seen, tries, attempts }: DeliveryRecord,
): Promise<void> {
  const canceled = { state: 'canceled', nextAt: null, payload: '{}' } as const
  const delivery = { id, seen, tries, attempts, ...canceled }
  await store.transact((tx) => tx.settle({ delivery }), LEADING)
}

interface Outcome {
  readonly settled: Settlement['delivery']
  readonly result: AttemptResult
  readonly at: string
}

async function settleWebhook(
  tx: OutboxWrites,
  { id: sentTo }: WebhookRecord,
  { settled, result: { delivered, gone }, at }: Outcome,
): Promise<void> {
  const webhook = (await tx.webhooks()).find(({ id }) => id === sentTo)
  if (webhook === undefined) return await tx.settle({ delivery: settled })
  const failingSince = delivered ? null : (webhook.failingSince ?? at)
  await tx.settle({ delivery: settled, webhook: { id: webhook.id, failingSince } })
  const failingFor = failingSince === null ? 0 : Date.parse(at) - Date.parse(failingSince)
  if (webhook.disabled !== null || !(gone || failingFor >= DISABLE_AFTER)) return
  const disabled = { at, by: 'failures' } as const
  await tx.setWebhook({ ...webhook, disabled, revision: webhook.revision + 1 })
  await tx.cancelDeliveries(webhook.id)
  await audit(tx, at, SERVER, 'webhook.disabled', {}, null, { name: webhook.name, failingSince })
}

/** Removes a browser whose subscription has expired, with all that waits for it. */
async function settlePush(
  tx: OutboxWrites,
  { id, failingSince }: PushSubscriptionRecord,
  { settled, result: { delivered, expired = false }, at }: Outcome,
): Promise<void> {
  if (expired) return await tx.removeSubscription(id)
  const since = delivered ? null : (failingSince ?? at)
  await tx.settle({ delivery: settled, push: { id, failingSince: since } })
}
