import { z } from 'zod'

/** What a browser sees before anybody has signed in. */
export const SignInState = z.strictObject({
  /** Whether it has to show first that it is on the server's computer; nothing else is true then. */
  needsCode: z.boolean(),
  /** False until the first account is made, by the link that the server prints. */
  hasAccounts: z.boolean(),
  /** The name of the account that the browser is signed in to. */
  signedInAs: z.string().nullable(),
  /** The host name of the identity provider; null without single sign-on. */
  singleSignOn: z.string().nullable(),
})
export type SignInState = z.infer<typeof SignInState>

/** What a link is for. `name`: of the account, null if the person chooses it. */
export const LinkInfo = z.strictObject({
  kind: z.enum(['setup', 'invitation', 'reset']),
  name: z.string().nullable(),
})
export type LinkInfo = z.infer<typeof LinkInfo>

/** Characters of the shortest password (NIST SP 800-63B-4, section 3.1.1.2, asks for 8 beside a second factor and 15 alone). */
export const MIN_PASSWORD_LENGTH = 12

/** A password as it is typed; whether it is good enough, the server decides. */
export const NewPassword = z.string().max(1_024)

/** What a password led to: a session, or the question for a second factor. */
export const SignInResult = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('signed_in') }),
  z.strictObject({
    kind: z.literal('second_factor'),
    challenge: z.string(),
    methods: z.array(z.enum(['totp', 'recovery_code'])),
  }),
])
export type SignInResult = z.infer<typeof SignInResult>
