import { z } from 'zod'
import { VISIBLE, VISIBLE_RULE } from '../../basics/visible.ts'
import { Timestamp } from '../../names.ts'

/** Seconds that a command line waits before it asks again whether its sign-in was confirmed (RFC 8628 section 3.5). */
export const POLL_SECONDS = 2

/** The screen on which a code is entered, as the fragment of the console's address. */
export const CODE_SCREEN = '#/command-line'

/** The name that a computer gives itself. */
export const ComputerName = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(100, 'must be at most 100 characters')
  .regex(VISIBLE, VISIBLE_RULE)

/** A code as a person types it: in either case, with anything between the letters. */
export const TypedCode = z.string().max(40)

/** A sign-in of the command line that has begun. */
export const BegunSignIn = z.strictObject({
  /** The secret of the command. */
  deviceCode: z.string(),
  /** What the person enters in the console. */
  userCode: z.string(),
  /** The address that the server sees, to compare with the one that the console shows. */
  address: z.string(),
  expiresAt: Timestamp,
})

/** What became of it so far. The token is in one answer alone. */
export const SignInProgress = z.discriminatedUnion('state', [
  z.strictObject({ state: z.enum(['pending', 'denied', 'expired']) }),
  z.strictObject({
    state: z.literal('signed_in'),
    token: z.string(),
    name: z.string(),
    expiresAt: Timestamp,
  }),
])

/** What a command line asks a person to confirm. */
export const CodeRequest = z.strictObject({
  userCode: z.string(),
  /** Unverified: the computer gives itself this name. */
  computer: z.string(),
  address: z.string(),
  /** Whether the browser that shows the request has the same address. */
  isOwnAddress: z.boolean(),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  /** Whether it asks to manage people, too. Missing: not. */
  managesPeople: z.literal(true).optional(),
})
export type CodeRequest = z.infer<typeof CodeRequest>

/** Returns a code as people read it: `WDJB-MJHT`. */
export function writeCode(userCode: string): string {
  return `${userCode.slice(0, 4)}-${userCode.slice(4)}`
}
