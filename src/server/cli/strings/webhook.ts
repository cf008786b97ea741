import type { Attempt, AttemptFailure } from '../../../shared/events/webhook.ts'
import { formatDuration, formatElapsed } from '../../../shared/wording/format.ts'

const REASONS: Readonly<Record<AttemptFailure, string>> = {
  private_address:
    'it has a private address, which the server does not allow; start it with --webhook-private-host',
  unresolved: 'the host was not found',
  unreachable: 'the connection was refused',
  certificate: 'TLS failed; check the certificate of the receiver',
  timed_out: 'it did not answer in time',
  broken_off: 'the connection was lost',
  authentication: 'authentication failed',
  rejected: 'it rejected the request',
}

export const text = {
  description: 'Create, list, disable, delete and test webhooks',
  create: 'Create a webhook and print its signing secret; it is shown only once',
  name: 'Name of the webhook',
  url: 'http or https URL that events are sent to, or - for stdin',
  format: (formats: readonly string[]) => `Format: ${formats.join(', ')} (default: standard)`,
  event: (events: readonly string[]) =>
    `Event to send: ${events.join(', ')}; repeatable (default: all events)`,
  app: 'Send only events of this app (default: all apps and the server)',
  list: 'List webhooks',
  headings: ['ID', 'NAME', 'URL', 'FORMAT', 'EVENTS', 'APP', 'STATUS', 'PENDING'],
  allEvents: 'all',
  allApps: 'all',
  empty: 'No webhooks yet. Create one with "webhook create".',
  disable: 'Stop sending to a webhook and cancel its pending deliveries',
  disabled: (name: string) => `Disabled webhook ${name}.`,
  enable: 'Send to a disabled webhook again, but not the events in between',
  enabled: (name: string) => `Enabled webhook ${name}.`,
  delete: 'Delete a webhook with its pending deliveries and its delivery log',
  webhook: 'ID or name of the webhook',
  deleted: (name: string) => `Deleted webhook ${name}.`,
  ambiguous: (name: string, ids: readonly string[]) =>
    `several webhooks are named "${name}"; use an ID: ${ids.join(', ')}`,
  test: 'Send a test event and show the response',
  delivered: (name: string, { status, milliseconds }: Attempt) =>
    `Delivered a test event to ${name}: HTTP ${status ?? ''} in ${formatElapsed(milliseconds)}.`,
  failed: (name: string, attempt: Attempt | undefined, isRetried: boolean) => {
    const outcome = `the test event was not delivered to ${name}: ${reasonOf(attempt)}`
    return isRetried ? `${outcome}. The server will retry for up to 24 hours.` : outcome
  },
  notSent: (name: string, seconds: number) =>
    `the server has not sent the test event to ${name} within ${formatDuration(seconds, 'second')}; it is still queued`,
} as const

function reasonOf(attempt: Attempt | undefined): string {
  if (attempt === undefined) return 'the delivery was canceled'
  const { failure, status, response } = attempt
  if (failure !== null) return REASONS[failure]
  if (status === null) return REASONS.broken_off
  const answer = response.replaceAll(/\s+/g, ' ').trim()
  return answer === '' ? `HTTP ${status}` : `HTTP ${status} (${answer})`
}
