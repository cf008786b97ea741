import { z } from 'zod'

const NAME = /^[A-Za-z][A-Za-z0-9_+/-]*$/

/** The name of a time zone that this runtime knows, such as `Europe/Berlin`. */
export const TimeZone = z
  .string()
  .max(64, 'must be at most 64 characters')
  .refine((name) => NAME.test(name) && isKnown(name), {
    message: 'must be an IANA time zone such as Europe/Berlin',
  })

function isKnown(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
