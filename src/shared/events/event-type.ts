// Without schemas: the thread that writes loads this file and no zod.

/** What a webhook can be sent about. The API of those who receive it: docs/webhooks.md. */
export const EVENT_TYPES = [
  'release.published',
  'release.rollout_changed',
  'release.paused',
  'release.resumed',
  'release.rolled_back',
  'plan.step_applied',
  'plan.suspended',
  'plan.stopped',
  'plan.finished',
  'artifact.failed',
  'artifact.proven',
  'change_request.proposed',
  'change_request.applied',
  'change_request.declined',
  'change_request.withdrawn',
  'change_request.expired',
  'health.alarm_raised',
  'health.alarm_cleared',
  'backup.failed',
] as const

export type EventType = (typeof EVENT_TYPES)[number]

/** Whether something is the name of an event. */
export function isEventType(name: string): name is EventType {
  return EVENT_TYPES.some((type) => type === name)
}

/** Whether an event is about the server itself, so that a webhook of one app never gets it. */
export function isServerEvent(type: EventType): boolean {
  return type.startsWith('health.') || type.startsWith('backup.')
}
