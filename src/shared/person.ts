import { z } from 'zod'
import { Role } from './role.ts'
import { VISIBLE, VISIBLE_RULE } from './visible.ts'

/** Where a session is used: in a browser or the desktop app, with a cookie, or by the command line, with a token. */
export const SessionKind = z.enum(['browser', 'command_line'])
export type SessionKind = z.infer<typeof SessionKind>

/** Maximum length of a sign-in name, in code points. */
export const MAX_SIGN_IN_NAME = 64

/** Bounds of a password, in code points (NIST SP 800-63B-4, section 3.1.1.2). */
export const PASSWORD_LENGTH = { min: 12, max: 256 } as const

/** A sign-in name as people see it: NFKC, without spaces around it. */
export const SignInName = z
  .string()
  .max(4 * MAX_SIGN_IN_NAME, `must be at most ${MAX_SIGN_IN_NAME} characters`)
  .overwrite((text) => text.normalize('NFKC').trim())
  .min(1, 'must not be empty')
  .refine((text) => [...text].length <= MAX_SIGN_IN_NAME, {
    message: `must be at most ${MAX_SIGN_IN_NAME} characters`,
  })
  .regex(VISIBLE, VISIBLE_RULE)

/**
 * Returns a name as names are compared: without regard to case and to how characters are composed
 * (Unicode Standard, section 3.13, D146). Two names that people take for the same have the same key.
 */
export function foldName(name: string): string {
  let folded = name.normalize('NFKC').trim()
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const next = folded.toUpperCase().toLowerCase().normalize('NFKC').trim()
    if (next === folded) break
    folded = next
  }
  return folded
}

/** Folding and composing can undo each other's result; it settles after two rounds. */
const MAX_ROUNDS = 4

/** An address that mail can be sent to: no display name, and nothing that a mail server would read otherwise. */
export const MailAddress = z
  .string()
  .trim()
  .max(254, 'must be at most 254 characters')
  .regex(
    /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/,
    'must have the form name@example.com',
  )

/** The roles of an account as the API and the audit log name them: apps by `ref`. */
export const PersonRoles = z.strictObject({
  serverRole: Role.nullable(),
  appRoles: z.array(z.strictObject({ app: z.string(), role: Role })),
})
export type PersonRoles = z.infer<typeof PersonRoles>

/** Why a password is refused. */
export const PasswordIssue = z.enum(['too_short', 'too_long', 'common', 'guessable'])
export type PasswordIssue = z.infer<typeof PasswordIssue>

/** How a person who is signed in confirms that it is still them. */
export const ConfirmationMethod = z.enum(['password', 'code', 'passkey', 'single_sign_on'])
export type ConfirmationMethod = z.infer<typeof ConfirmationMethod>

export const SecondFactor = z.enum(['totp', 'recovery_code'])
/** What can be asked for after the password. */
export type SecondFactor = z.infer<typeof SecondFactor>
