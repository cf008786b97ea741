import { z } from 'zod'
import { Alarm } from '../../shared/webhook.ts'
import { ALARM_NAMES } from '../../shared/wording/event.ts'
import { type Words, whenRead } from './entry.ts'

const Webhook = z.object({ name: z.string(), address: z.string() })
const Named = z.object({ name: z.string() })
const Redelivered = z.object({ name: z.string(), event: z.string() })
const Alarmed = z.object({ alarm: Alarm })
const Disabled = z.object({ name: z.string(), failingSince: z.string() })

/** Sentences about webhooks, and about the alarms that they are sent for. */
export const WEBHOOK_WORDS: Readonly<Record<string, Words>> = {
  'webhook.created': (_, after) =>
    whenRead(Webhook, after, ({ name, address }) => `Created webhook ${name} to ${address}.`),
  'webhook.changed': (_, after) =>
    whenRead(Webhook, after, ({ name }) => `Changed webhook ${name}.`),
  'webhook.enabled': (_, after) => whenRead(Named, after, ({ name }) => `Enabled webhook ${name}.`),
  'webhook.disabled': (_, after) =>
    whenRead(Disabled, after, ({ name }) => `Disabled webhook ${name} because it kept failing.`) ??
    whenRead(Named, after, ({ name }) => `Disabled webhook ${name}.`),
  'webhook.secret_rotated': (_, after) =>
    whenRead(Named, after, ({ name }) => `Rotated the secret of webhook ${name}.`),
  'webhook.redelivered': (_, after) =>
    whenRead(Redelivered, after, ({ name, event }) => `Sent ${event} to webhook ${name} again.`),
  'webhook.removed': (before) =>
    whenRead(Webhook, before, ({ name }) => `Deleted webhook ${name}.`),
  'health.alarm_raised': (_, after) =>
    whenRead(Alarmed, after, ({ alarm }) => `Alarm: ${ALARM_NAMES[alarm]}.`),
  'health.alarm_cleared': (before) =>
    whenRead(Alarmed, before, ({ alarm }) => `Resolved: ${ALARM_NAMES[alarm]}.`),
}
