import type { NoticeKind } from '../../../../shared/events/notice.ts'
import type { AppLevel, MailTime } from '../../../../shared/events/notifications.ts'
import { formatCounted } from '../../../../shared/wording/format.ts'

export const text = {
  title: 'Notifications',
  email: {
    hint: 'Where your mail is sent. Leave it empty for no mail.',
    save: 'Save address',
    done: 'Your e-mail address was saved.',
    failed: 'Your e-mail address was not saved',
  },

  noMail: 'This server sends no mail.',
  mailOf: (kind: string) => `Mail: ${kind}`,
  push: 'Push',
  pushOf: (kind: string) => `Push: ${kind}`,
  apps: 'Apps',
  onlyAlarms: 'Only alarms',
  onlyAlarmsHint: 'Apps of which you get alarms and nothing else',
  nothing: 'Nothing',
  nothingHint: 'Apps of which you get no notifications',
  quiet: 'Quiet hours',
  quietHint: 'Notifications wait until they end. Alarms are always sent at once.',
  from: 'From',
  to: 'To',
  digestAt: 'Daily summary at',
  timeZone: 'Time zone',
  save: 'Save notifications',
  done: 'Your notifications were saved.',
  failed: 'Your notifications were not saved',
  invalidTimes: 'Enter two different times',

  browsers: {
    title: 'Push notifications',
    on: 'This browser gets push notifications.',
    off: 'This browser gets no push notifications.',
    insecure: 'Push notifications need the console over HTTPS.',
    unsupported:
      'This browser has no push notifications. On an iPhone or iPad, add the console to the home screen first.',
    notOffered: 'This server sends no push notifications.',
    turnOn: 'Turn on',
    turnOff: 'Turn off',
    turnedOn: 'Push notifications were turned on. A test notification is on its way.',
    turnedOff: 'Push notifications were turned off.',
    failed: 'Push notifications were not changed',
    columns: { browser: 'Browser', added: 'Added', state: 'State', actions: 'Actions' },
    current: 'This browser',
    working: 'No failures',
    failing: 'Not reached since',
    dropped: (count: number) => `${formatCounted(count, 'notification')} left out`,
    remove: 'Remove',
    removeLabel: (browser: string) => `Remove ${browser}`,
    removed: 'The browser was removed.',
    removeFailed: 'The browser was not removed',
  },
} as const

export const KIND_NAMES: Readonly<Record<NoticeKind, string>> = {
  alarms: 'Alarms',
  approvals: 'Approvals',
  recoveries: 'Resolved alarms',
  releases: 'Releases',
}

export const KIND_HINTS: Readonly<Record<NoticeKind, string>> = {
  alarms:
    'A release failed and was stopped, an artifact is not proven, or something is wrong with the server',
  approvals: 'A change waits for your decision, or yours was decided',
  recoveries: 'An alarm of the server ended, or an artifact is proven again',
  releases: 'Published, paused, resumed or rolled back by others, and plans that finish',
}

export const MAIL_TIMES: Readonly<Record<MailTime, string>> = {
  at_once: 'Mail at once',
  digest: 'Mail in the daily summary',
  off: 'No mail',
}

export const APP_LEVELS: Readonly<Record<AppLevel, { label: string; hint: string }>> = {
  alarms: { label: text.onlyAlarms, hint: text.onlyAlarmsHint },
  none: { label: text.nothing, hint: text.nothingHint },
}
