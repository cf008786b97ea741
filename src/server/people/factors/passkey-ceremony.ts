import { z } from 'zod'
import { Refusal } from '../../catalog/errors.ts'

export interface Site {
  /** The host name of the console (WebAuthn Level 3, section 4: RP ID). */
  readonly rpId: string
  /** The origin that the browser must name, such as `https://updates.example.com`. */
  readonly origin: string
}

/** What waits for the answer of a passkey. */
export const Ceremony = z.strictObject({
  rpId: z.string(),
  origin: z.string(),
  challenge: z.string(),
  /** Whose passkey is made, or confirms a session; null while somebody signs in. */
  accountId: z.string().nullable(),
})
export type Ceremony = Readonly<z.infer<typeof Ceremony>>

/** Loads the library, with the first passkey: a server starts faster without. */
export function library() {
  return import('@simplewebauthn/server')
}

/** Returns what the answer of the browser has to match. */
export function expected({ challenge, origin, rpId }: Ceremony) {
  return {
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    requireUserVerification: true,
  }
}

/** Runs a verification, which throws for whatever is wrong with an answer. Throws `passkey_rejected`. */
export async function verified<Result extends { readonly verified: boolean }>(
  verify: () => Promise<Result>,
): Promise<Result> {
  const result = await verify().catch(() => {
    throw rejected()
  })
  if (!result.verified) throw rejected()
  return result
}

/** The refusal of an answer that is not that of a passkey of an account. */
export function rejected(): Refusal {
  return new Refusal({ code: 'passkey_rejected' })
}
