import { z } from 'zod'
import type { Refusal } from '../../catalog/errors.ts'
import type { Session, SignedIn } from '../account.ts'

/** Milliseconds that a person has to sign in at the provider. */
export const ROUND_TRIP_TIME = 10 * 60_000
/** Milliseconds by which the clock of the provider may be behind. */
const CLOCK_SKEW = 60_000

/** What a sign-in at the provider is for, beside signing in. */
export interface SignOnPurpose {
  /** The token of an invitation, whose account is linked to the identity. */
  readonly link?: string | undefined
  /** The session of the person whose account is linked to the identity, or who confirms with it that it is them. */
  readonly session?: Session | undefined
  readonly sessionFor?: 'linking' | 'confirming' | undefined
}

/** What the browser keeps, sealed, while it is at the provider. */
export const RoundTrip = z.strictObject({
  state: z.string(),
  redirectUri: z.string(),
  verifier: z.string(),
  nonce: z.string(),
  link: z.string().optional(),
  /** Stands for a session, which is kept itself: who can seal could name any. */
  session: z.string().optional(),
})
export type RoundTrip = Readonly<z.infer<typeof RoundTrip>>

/** The session in which a person began to link an account, or to confirm. */
export const Begun = z.strictObject({
  accountId: z.string(),
  sessionId: z.string(),
  purpose: z.enum(['linking', 'confirming']),
  /** Unix milliseconds. */
  at: z.number(),
})
export type Begun = Readonly<z.infer<typeof Begun>>

/** What a round trip to the provider led to: a session, or what became of the one that began it. */
export type SignOnResult =
  | ({ readonly kind: 'signed_in' } & SignedIn)
  | { readonly kind: 'linked' }
  /** Why the session was not confirmed; null if it was. */
  | { readonly kind: 'confirmation'; readonly refusal: Refusal | null }

/** Returns whether the sign-in came after the round trip began (OpenID Connect Core 1.0, 3.1.2.1): some ignore `max_age`. */
export function isFreshSignIn(authTime: unknown, begun: number): boolean {
  return typeof authTime === 'number' && authTime * 1_000 >= begun - CLOCK_SKEW
}
