import { z } from 'zod'
import type { RefusalKind } from './refusal-kind.ts'

/** The refusals about webhooks and their deliveries. */
export const WEBHOOK_REFUSALS = [
  z.strictObject({ code: z.literal('unknown_webhook') }),
  z.strictObject({ code: z.literal('unknown_delivery') }),
  z.strictObject({ code: z.literal('too_many_webhooks'), maximum: z.int() }),
  /** A form was filled in with an earlier state of the webhook. */
  z.strictObject({ code: z.literal('webhook_changed'), name: z.string() }),
  z.strictObject({ code: z.literal('webhook_disabled'), name: z.string() }),
  /** The host has an address in a private range, which the server's machine does not allow. */
  z.strictObject({
    code: z.literal('private_address'),
    path: z.array(z.string()),
    host: z.string(),
  }),
] as const
export type WebhookRefusal = z.infer<(typeof WEBHOOK_REFUSALS)[number]>

/** Their kinds. */
export const WEBHOOK_REFUSAL_KINDS: Readonly<Record<WebhookRefusal['code'], RefusalKind>> = {
  unknown_webhook: 'unknown',
  unknown_delivery: 'unknown',
  too_many_webhooks: 'invariant',
  webhook_changed: 'invariant',
  webhook_disabled: 'invariant',
  private_address: 'invalid',
}
