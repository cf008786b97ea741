import { z } from 'zod'
import { TimeZone } from './time-zone.ts'

/** Most freezes of an app. */
const MAX_FREEZES = 50

/** A day of the calendar: `2026-12-24`. */
const CalendarDay = z.iso.date('must be a date such as 2026-12-24')

/** Days on which no plan of an app applies a step, the first and the last one included. */
export const Freeze = z
  .strictObject({
    firstDay: CalendarDay,
    lastDay: CalendarDay,
    timeZone: TimeZone.default('UTC'),
    /** For people; may be empty. */
    name: z.string().trim().max(100, 'must be at most 100 characters').default(''),
  })
  .refine(({ firstDay, lastDay }) => firstDay <= lastDay, {
    path: ['lastDay'],
    message: 'must not be before firstDay',
  })
export type Freeze = z.infer<typeof Freeze>

export const Freezes = z.array(Freeze).max(MAX_FREEZES, `must hold at most ${MAX_FREEZES} freezes`)
