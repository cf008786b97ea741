import type { NoticeKind } from '../../../../shared/events/notice.ts'
import type { NotificationChoices } from '../../../../shared/events/notifications.ts'
import type { PlanWindow } from '../../../../shared/plans/plan.ts'
import { nextOpening } from '../../../rules/plans/calendar.ts'

const DAYS: PlanWindow['days'] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

export interface Route {
  /** Unix time in milliseconds. */
  readonly at: number
  /** Whether it waits until then, together with others. */
  readonly isHeld: boolean
}

/** How a notice reaches a person; null for not at all. */
export interface Routes {
  readonly mail: Route | null
  readonly push: Route | null
}

interface Notice {
  readonly kind: NoticeKind
  /** The ref of its app; null for one about the server. */
  readonly app: string | null
  /** Unix time in milliseconds. */
  readonly now: number
}

/** Returns how a notice reaches a person: alarms at once, the rest after quiet hours, and mail with the digest if chosen. */
export function routesOf(choices: NotificationChoices, { kind, app, now }: Notice): Routes {
  const level = choices.apps.find((chosen) => chosen.app === app)?.level
  if (level === 'none' || (level === 'alarms' && kind !== 'alarms')) {
    return { mail: null, push: null }
  }
  const asSoonAsAllowed =
    kind === 'alarms' ? { at: now, isHeld: false } : outsideQuiet(choices, now)
  const mail = choices.mail[kind]
  return {
    mail:
      mail === 'digest'
        ? { at: outsideQuiet(choices, nextDigest(choices, now)).at, isHeld: true }
        : mail === 'off'
          ? null
          : asSoonAsAllowed,
    push: choices.push[kind] ? asSoonAsAllowed : null,
  }
}

/** Returns the first time from `now` on that is not within quiet hours. */
function outsideQuiet({ quietHours, timeZone }: NotificationChoices, now: number): Route {
  if (quietHours === null) return { at: now, isHeld: false }
  const windows = [{ days: DAYS, from: quietHours.to, to: quietHours.from }]
  const { at } = nextOpening({ windows, timeZone }, [], now)
  return { at: at ?? now, isHeld: at !== null && at > now }
}

/** Returns the next time after `now` at which the digest is sent. */
function nextDigest({ digestAt, timeZone }: NotificationChoices, now: number): number {
  const windows = [{ days: DAYS, from: digestAt, to: minuteAfter(digestAt) }]
  return nextOpening({ windows, timeZone }, [], now).at ?? now
}

function minuteAfter(clock: string): string {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  const next = hours * 60 + minutes + 1
  const digits = (value: number) => String(value).padStart(2, '0')
  return `${digits(Math.floor(next / 60))}:${digits(next % 60)}`
}
