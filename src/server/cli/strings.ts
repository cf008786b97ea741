import { z } from 'zod'

/** A name that is only there for people: of an app, of a key. */
export const PersonalName = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(128, 'must be at most 128 characters')
  .regex(/^\P{Cc}*$/u, 'must not contain line breaks or other control characters')
