import { z } from 'zod'
import { AppRef, Timestamp } from '../names.ts'
import { TimeZone } from '../plans/time-zone.ts'

/** When a kind of notice is mailed: never, at once, or with others once a day. */
export const MailTime = z.enum(['off', 'at_once', 'digest'])
export type MailTime = z.infer<typeof MailTime>

/** What of an app a person is notified about, where that is not everything. */
export const AppLevel = z.enum(['alarms', 'none'])
export type AppLevel = z.infer<typeof AppLevel>

const Clock = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 09:30')

/** Most apps of which a person chooses what they are notified about. */
const MAX_APPS = 1_000

/** How a person is notified. Alarms never wait, neither for a digest nor for the end of quiet hours. */
export const NotificationChoices = z.strictObject({
  mail: z.strictObject({
    alarms: MailTime.exclude(['digest']),
    approvals: MailTime,
    recoveries: MailTime,
    releases: MailTime,
  }),
  push: z.strictObject({
    alarms: z.boolean(),
    approvals: z.boolean(),
    recoveries: z.boolean(),
    releases: z.boolean(),
  }),
  apps: z.array(z.strictObject({ app: AppRef, level: AppLevel })).max(MAX_APPS),
  /** From the first time until before the second one, across midnight if that is earlier. */
  quietHours: z
    .strictObject({ from: Clock, to: Clock })
    .refine(({ from, to }) => from !== to, {
      path: ['to'],
      message: 'must be another time than from',
    })
    .nullable(),
  /** When the digest is mailed. */
  digestAt: Clock,
  /** Of the times above. */
  timeZone: TimeZone,
})
export type NotificationChoices = z.infer<typeof NotificationChoices>

/** Characters of the longest address of a push subscription. */
const MAX_ENDPOINT = 1_024

/** A push subscription as browsers give it (Push API, `PushSubscriptionJSON`). */
export const BrowserSubscription = z.strictObject({
  endpoint: z.url({ protocol: /^https$/ }).max(MAX_ENDPOINT),
  keys: z.strictObject({
    /** An uncompressed point on P-256, base64url. */
    p256dh: z.string().regex(/^B[\w-]{86}$/, 'must be a public key'),
    /** 16 bytes, base64url. */
    auth: z.string().regex(/^[\w-]{22}$/, 'must be a secret of 16 bytes'),
  }),
})
export type BrowserSubscription = z.infer<typeof BrowserSubscription>

/** A browser that a person gets notifications in. */
export const PushBrowser = z.strictObject({
  id: z.string(),
  /** What the browser calls itself. */
  userAgent: z.string(),
  createdAt: Timestamp,
  /** Since when no notification reached it; null after one that did. */
  failingSince: Timestamp.nullable(),
  /** Notifications that were left out because there were too many. */
  dropped: z.int(),
})
export type PushBrowser = z.infer<typeof PushBrowser>

/** How the person who asks is notified. */
export const OwnNotifications = z.strictObject({
  /** Null for a person who has chosen nothing. */
  choices: NotificationChoices.nullable(),
  /** Whether the server sends mail. */
  isMailing: z.boolean(),
  /** The public key of the server (RFC 8292), base64url; null if it sends no push notifications. */
  pushKey: z.string().nullable(),
  browsers: z.array(PushBrowser),
})
export type OwnNotifications = z.infer<typeof OwnNotifications>
