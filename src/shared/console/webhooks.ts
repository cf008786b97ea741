import { z } from 'zod'
import {
  Attempt,
  DeliveryState,
  DisabledBy,
  EventType,
  WebhookFormat,
  WebhookInput,
} from '../events/webhook.ts'
import { AppRef, Timestamp } from '../names.ts'

/** Most deliveries that the log of a webhook shows. */
export const MAX_SHOWN_DELIVERIES = 100

export const WebhookId = z.string().min(1).max(64)

/** A webhook as administrators see it. */
export const WebhookItem = z.strictObject({
  id: WebhookId,
  name: z.string(),
  url: z.string(),
  format: WebhookFormat,
  events: z.array(EventType),
  app: AppRef.nullable(),
  createdAt: Timestamp,
  disabled: z.strictObject({ at: Timestamp, by: DisabledBy }).nullable(),
  failingSince: Timestamp.nullable(),
  /** Until when deliveries are signed with the secret before, too. */
  previousSecretUntil: Timestamp.nullable(),
  /** Deliveries that wait. */
  pending: z.int(),
  /** Events that were dropped because too many waited. */
  dropped: z.int(),
  revision: z.int(),
})
export type WebhookItem = z.infer<typeof WebhookItem>

/** The one answer that holds a secret. */
export const WebhookWithSecret = z.strictObject({ webhook: WebhookItem, secret: z.string() })

export const DeliveryItem = z.strictObject({
  id: z.string(),
  type: z.string(),
  state: DeliveryState,
  createdAt: Timestamp,
  nextAt: Timestamp.nullable(),
  tries: z.int(),
  attempts: z.array(Attempt),
  /** What was sent, for the format of Standard Webhooks. */
  payload: z.string(),
})
export type DeliveryItem = z.infer<typeof DeliveryItem>

/** A change of a webhook; `seen` is the revision that the form was filled in with. */
export const WebhookChange = WebhookInput.extend({ id: WebhookId, seen: z.int() })

/** Returns where a webhook stands: a failing one is still sent to. */
export function webhookStatus({
  disabled,
  failingSince,
}: Pick<WebhookItem, 'disabled' | 'failingSince'>): 'active' | 'failing' | 'disabled' {
  if (disabled !== null) return 'disabled'
  return failingSince === null ? 'active' : 'failing'
}
