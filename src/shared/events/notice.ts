// Without schemas: the thread that writes loads this file and no zod.

import type { EventType } from './event-type.ts'
import type { NotificationChoices } from './notifications.ts'

/** What people are notified about, by mail and by push. */
export const NOTICE_KINDS = ['alarms', 'approvals', 'recoveries', 'releases'] as const
export type NoticeKind = (typeof NOTICE_KINDS)[number]

/** The type of a delivery of several events, which were held until their time came. */
export const BUNDLE = 'notifications.bundle'

/** The type of a notification that somebody sends to their own browser for a test. */
export const TEST_PUSH = 'push.test'

/** Returns the kind of notice that an event is; null for an event that nobody is notified about. */
export function noticeKindOf(type: EventType): NoticeKind | null {
  switch (type) {
    case 'plan.stopped':
    case 'artifact.failed':
    case 'health.alarm_raised':
    case 'backup.failed':
      return 'alarms'
    case 'change_request.proposed':
    case 'change_request.applied':
    case 'change_request.declined':
    case 'change_request.expired':
      return 'approvals'
    case 'artifact.proven':
    case 'health.alarm_cleared':
      return 'recoveries'
    case 'release.published':
    case 'release.paused':
    case 'release.resumed':
    case 'release.rolled_back':
    case 'plan.suspended':
    case 'plan.finished':
      return 'releases'
    case 'release.rollout_changed':
    case 'plan.step_applied':
    case 'change_request.withdrawn':
      return null
    default:
      return type satisfies never
  }
}

/** What people get who have chosen nothing. */
export const DEFAULT_CHOICES: NotificationChoices = {
  mail: { alarms: 'at_once', approvals: 'at_once', recoveries: 'at_once', releases: 'off' },
  push: { alarms: true, approvals: true, recoveries: true, releases: false },
  apps: [],
  quietHours: null,
  digestAt: '08:00',
  timeZone: 'UTC',
}
