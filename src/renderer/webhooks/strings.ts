import {
  type Attempt,
  type AttemptFailure,
  type DisabledBy,
  type EventType,
  TEST_EVENT,
  type WebhookFormat,
} from '../../shared/events/webhook.ts'
import { formatCount, formatCounted, formatElapsed } from '../../shared/wording/format.ts'

export const text = {
  title: 'Webhooks',
  description: 'Send events to your own services and to Slack, Discord or Microsoft Teams',
  create: 'Create webhook',
  empty: 'No webhooks yet',
  emptyHint:
    'Create a webhook to be notified when a release is published, paused or rolled back, or when a change needs approval.',
  list: 'Webhooks',
  columns: { name: 'Name', events: 'Events', status: 'Status', waiting: 'Pending' },
  allEvents: 'All events',
  events: (count: number) => formatCounted(count, 'event'),
  allApps: 'All apps and the server',
  app: (ref: string) => `App ${ref}`,
  notFound: 'Webhook not found',
  notFoundHint: 'It may have been deleted.',
  showAll: 'Show all webhooks',
  form: {
    createTitle: 'Create a webhook',
    changeTitle: (name: string) => `Edit webhook ${name}`,
    name: 'Name',
    nameHint: 'Shown in the list and the audit log.',
    url: 'URL',
    urlHint: 'Tidegate sends POST requests to this address. Redirects are not followed.',
    format: 'Format',
    events: 'Events',
    app: 'App',
    appHint: 'A webhook for one app gets no events of the server.',
    required: 'Required',
    noUrl: 'Enter an http or https URL',
    noEvents: 'Choose at least one event',
    create: 'Create webhook',
    save: 'Save webhook',
    saved: (name: string) => `Webhook ${name} was saved.`,
    createFailed: (name: string) => `Webhook ${name} was not created`,
    saveFailed: (name: string) => `Webhook ${name} was not saved`,
  },
  secret: {
    title: 'Copy the signing secret',
    stay: 'Copy the secret first. It will not be shown again.',
    once: 'The secret is shown only once. Receivers use it to verify that a request is from this server.',
    label: 'Signing secret',
    use: 'Requests are signed as described by Standard Webhooks. Slack, Discord and Teams do not need the secret.',
    done: 'I have copied it',
  },
  details: 'Settings',
  url: 'URL',
  deliveries: 'Deliveries',
  noDeliveries: 'No deliveries yet',
  noDeliveriesHint: 'Events appear here when they are sent. Send a test event to try it.',
  latest: 'Latest 100',
  deliveryColumns: {
    event: 'Event',
    time: 'Time',
    status: 'Status',
    response: 'Last response',
    actions: 'Actions',
  },
  tries: (count: number) => formatCounted(count, 'attempt'),
  next: 'Next attempt:',
  attempts: 'Attempts',
  attemptColumns: {
    time: 'Time',
    outcome: 'Response',
    duration: 'Duration',
    body: 'Response body',
  },
  duration: formatElapsed,
  payload: 'Payload',
  show: 'Details',
  showLabel: (event: string) => `Details of ${event}`,
  deliveryTitle: (event: string) => `Delivery: ${event}`,
  close: 'Close',
  test: 'Send test event',
  tested: 'The test event was queued.',
  testFailed: 'The test event was not sent',
  redeliver: 'Redeliver',
  redeliverLabel: (event: string) => `Redeliver ${event}`,
  redelivered: 'The delivery was queued again.',
  redeliverFailed: 'The delivery was not queued again',
  edit: 'Edit',
  enable: 'Enable',
  enabled: (name: string) => `Webhook ${name} was enabled.`,
  enableFailed: (name: string) => `Webhook ${name} was not enabled`,
  disable: {
    action: 'Disable',
    title: (name: string) => `Disable webhook ${name}`,
    confirm: 'Disable webhook',
    effect:
      'Pending deliveries are canceled. Events that happen while it is disabled are not sent later.',
    done: (name: string) => `Webhook ${name} was disabled.`,
    failed: (name: string) => `Webhook ${name} was not disabled`,
  },
  rotate: {
    action: 'Rotate secret',
    title: (name: string) => `Rotate the secret of ${name}`,
    confirm: 'Rotate secret',
    effect:
      'Requests are signed with both secrets for 24 hours, so that receivers can switch without losing events.',
    failed: (name: string) => `The secret of ${name} was not rotated`,
  },
  remove: {
    action: 'Delete',
    title: (name: string) => `Delete webhook ${name}`,
    confirm: 'Delete webhook',
    effect: 'Pending deliveries and the delivery log are deleted too.',
    done: (name: string) => `Webhook ${name} was deleted.`,
    failed: (name: string) => `Webhook ${name} was not deleted`,
  },
  failingSince: 'Deliveries have failed since',
  disabledSince: 'Disabled since',
  bothSecrets: 'Signed with both secrets until',
  dropped: (count: number) =>
    `${formatCounted(count, 'event')} dropped because too many were waiting.`,
  pending: (count: number) => formatCount(count),
} as const

/** What each event is called. */
export const EVENT_WORDS: Readonly<Record<EventType | typeof TEST_EVENT, string>> = {
  'release.published': 'Release published',
  'release.rollout_changed': 'Rollout or targets changed',
  'release.paused': 'Release paused',
  'release.resumed': 'Release resumed',
  'release.rolled_back': 'Release rolled back',
  'plan.step_applied': 'Plan step applied',
  'plan.suspended': 'Plan suspended',
  'plan.stopped': 'Plan stopped',
  'plan.finished': 'Plan finished',
  'artifact.failed': 'Artifact failed its proof',
  'artifact.proven': 'Artifact proven again',
  'change_request.proposed': 'Approval requested',
  'change_request.applied': 'Change request applied',
  'change_request.declined': 'Change request declined',
  'change_request.withdrawn': 'Change request withdrawn',
  'change_request.expired': 'Change request expired',
  'health.alarm_raised': 'Health alarm raised',
  'health.alarm_cleared': 'Health alarm resolved',
  'backup.failed': 'Backup failed',
  [TEST_EVENT]: 'Test event',
}

/** Returns the name of an event; an unknown one is named by its type. */
export function eventName(type: string): string {
  const known = Object.entries(EVENT_WORDS).find(([each]) => each === type)
  return known?.[1] ?? type
}

export const FORMAT_WORDS: Readonly<Record<WebhookFormat, string>> = {
  standard: 'JSON (Standard Webhooks)',
  slack: 'Slack',
  discord: 'Discord',
  teams: 'Microsoft Teams',
}

export const DISABLED_WORDS: Readonly<Record<DisabledBy, string>> = {
  person: 'Disabled by an administrator.',
  failures:
    'Disabled because no delivery succeeded for 3 days. Check the address, then enable it again.',
  restore: 'Disabled because it was disabled or deleted after the backup that was restored.',
}

const FAILURE_WORDS: Readonly<Record<AttemptFailure, string>> = {
  private_address: 'Private address, not allowed',
  unresolved: 'Host not found',
  unreachable: 'Connection refused',
  certificate: 'TLS or certificate error',
  timed_out: 'Timed out',
  broken_off: 'Connection lost',
  authentication: 'Authentication failed',
  rejected: 'Rejected',
}

/** What came of an attempt. */
export function outcomeInWords({ status, failure }: Pick<Attempt, 'status' | 'failure'>): string {
  if (failure !== null) return FAILURE_WORDS[failure]
  return status === null ? FAILURE_WORDS.broken_off : `HTTP ${status}`
}
