import { z } from 'zod'
import { AppRef, DisplayName, Timestamp } from '../names.ts'
import { type Refusals, refusal } from '../refusal-kind.ts'
import { EVENT_TYPES } from './event-type.ts'

export const EventType = z.enum(EVENT_TYPES)
export type EventType = z.infer<typeof EventType>

/** The event of a test delivery: never chosen, sent on request. */
export const TEST_EVENT = 'webhook.test'
export type SentType = EventType | typeof TEST_EVENT

/** What can be wrong with a running server. */
export const Alarm = z.enum([
  'telemetry_not_stored',
  'disk_low',
  'certificate_expiring',
  'backup_failed',
  'proving_failed',
  'plans_failed',
  'bucket_unavailable',
])
export type Alarm = z.infer<typeof Alarm>

/** The form of the body: that of Standard Webhooks, or a message for a chat. */
export const WebhookFormat = z.enum(['standard', 'slack', 'discord', 'teams'])
export type WebhookFormat = z.infer<typeof WebhookFormat>

/** Most webhooks of a server. */
export const MAX_WEBHOOKS = 50
/** Characters of the longest address of a webhook. */
export const MAX_WEBHOOK_URL = 2_048

/** Why another server gave no answer. `private_address`: the server's machine does not allow it. */
export const NO_ANSWER = [
  ...(['private_address', 'unresolved', 'unreachable'] as const),
  ...(['certificate', 'timed_out', 'broken_off'] as const),
] as const
export type NoAnswer = (typeof NO_ANSWER)[number]

/** Why an attempt got no status. */
export const AttemptFailure = z.enum([...NO_ANSWER, 'authentication', 'rejected'])
export type AttemptFailure = z.infer<typeof AttemptFailure>

/** One attempt to deliver. */
export const Attempt = z.strictObject({
  at: Timestamp,
  milliseconds: z.int(),
  /** The status of the response, of HTTP or of SMTP; null if there was none. */
  status: z.int().nullable(),
  failure: AttemptFailure.nullable(),
  /** The first characters of the response. */
  response: z.string(),
})
export type Attempt = z.infer<typeof Attempt>

/** `canceled`: the webhook was disabled, or a backup was restored, before it was delivered. */
export const DeliveryState = z.enum(['pending', 'delivered', 'failed', 'canceled'])
export type DeliveryState = z.infer<typeof DeliveryState>

/** Why a webhook is disabled: somebody did it, its deliveries failed for days, or a restored backup held it. */
export const DisabledBy = z.enum(['person', 'failures', 'restore'])
export type DisabledBy = z.infer<typeof DisabledBy>

/** What people fill in. */
export const WebhookInput = z.strictObject({
  name: DisplayName,
  url: z.string().min(1, 'must not be empty').max(MAX_WEBHOOK_URL),
  format: WebhookFormat,
  /** The events that are sent. */
  events: z.array(EventType).min(1, 'must name at least one event').max(EventType.options.length),
  /** The one app whose events are sent; null for those of all apps and of the server. */
  app: AppRef.nullable(),
})
export type WebhookInput = z.infer<typeof WebhookInput>

/** The refusals about webhooks, browsers that get push notifications, and deliveries. */
export const WEBHOOK_REFUSALS = {
  unknown: [refusal('unknown_webhook', {}), refusal('unknown_delivery', {})],
  invariant: [
    refusal('too_many_webhooks', { maximum: z.int() }),
    /** A form was filled in with an earlier state of the webhook. */
    refusal('webhook_changed', { name: z.string() }),
    refusal('webhook_disabled', { name: z.string() }),
    /** A person, or all people, get push notifications in as many browsers as they can. */
    refusal('too_many_browsers', { maximum: z.int() }),
  ],
  invalid: [
    /** The host has an address in a private range, which the server's machine does not allow. */
    refusal('private_address', { path: z.array(z.string()), host: z.string() }),
    /** Push notifications of the browser go to a host that the server does not send to. */
    refusal('push_service_unknown', { path: z.array(z.string()), host: z.string() }),
  ],
} as const satisfies Refusals
