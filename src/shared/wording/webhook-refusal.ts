import { issueMessage } from '../issue.ts'
import type { WebhookRefusal } from '../webhook.ts'
import { formatCount } from './format.ts'
import type { Sentences } from './sentences.ts'

/** The messages of the refusals about webhooks, as `refusalSentence` returns them. */
export const WEBHOOK_SENTENCES: Sentences<WebhookRefusal> = {
  unknown_webhook: () => 'unknown webhook',
  unknown_delivery: () => 'this delivery is no longer kept',
  too_many_webhooks: ({ maximum }) =>
    `a server can have at most ${formatCount(maximum)} webhooks; delete one first`,
  webhook_changed: ({ name }) =>
    `webhook "${name}" has changed in the meantime; review it and try again`,
  webhook_disabled: ({ name }) => `webhook "${name}" is disabled; enable it first`,
  private_address: (facts) => {
    const reason = `${facts.host} is a private address; start the server with --webhook-private-host ${facts.host} to allow it`
    return issueMessage({ path: facts.path, reason })
  },
}
