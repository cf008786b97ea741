import { issueMessage } from '../issue.ts'
import type { WebhookRefusal } from '../webhook-refusal.ts'
import { formatCount } from './format.ts'

/** Returns the message of a refusal about webhooks, as `refusalSentence` does. */
export function webhookRefusalSentence(facts: WebhookRefusal): string {
  switch (facts.code) {
    case 'unknown_webhook':
      return 'unknown webhook'
    case 'unknown_delivery':
      return 'this delivery is no longer kept'
    case 'too_many_webhooks':
      return `a server can have at most ${formatCount(facts.maximum)} webhooks; delete one first`
    case 'webhook_changed':
      return `webhook "${facts.name}" has changed in the meantime; review it and try again`
    case 'webhook_disabled':
      return `webhook "${facts.name}" is disabled; enable it first`
    case 'private_address': {
      const reason = `${facts.host} is a private address; start the server with --webhook-private-host ${facts.host} to allow it`
      return issueMessage({ path: facts.path, reason })
    }
  }
}
