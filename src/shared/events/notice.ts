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

/** The kind of notice that an event is; null for an event that nobody is notified about. */
export const NOTICE_KIND_OF: Readonly<Record<EventType, NoticeKind | null>> = {
  'plan.stopped': 'alarms',
  'artifact.failed': 'alarms',
  'health.alarm_raised': 'alarms',
  'backup.failed': 'alarms',
  'change_request.proposed': 'approvals',
  'change_request.applied': 'approvals',
  'change_request.declined': 'approvals',
  'change_request.expired': 'approvals',
  'artifact.proven': 'recoveries',
  'health.alarm_cleared': 'recoveries',
  'release.published': 'releases',
  'release.paused': 'releases',
  'release.resumed': 'releases',
  'release.rolled_back': 'releases',
  'plan.suspended': 'releases',
  'plan.finished': 'releases',
  'release.rollout_changed': null,
  'plan.step_applied': null,
  'change_request.withdrawn': null,
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
