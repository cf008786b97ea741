import { z } from 'zod'

/** Characters of one member of a browser's answer: attestations are none, so all are short. */
const MAX_MEMBER = 16_384

const bytes = z.base64url().max(MAX_MEMBER)
const extensions = z.looseObject({}).default({})
const shared = {
  id: bytes.min(1),
  rawId: bytes.min(1),
  type: z.literal('public-key'),
  clientExtensionResults: extensions,
}

/** What the browser answers when a passkey is made (WebAuthn Level 3, section 5.1: `RegistrationResponseJSON`). */
export const PasskeyRegistration = z.object({
  ...shared,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z.array(z.string().max(32)).max(10).default([]),
  }),
})
export type PasskeyRegistration = z.infer<typeof PasskeyRegistration>

/** What the browser answers when a passkey is used (WebAuthn Level 3, section 5.1: `AuthenticationResponseJSON`). */
export const PasskeyAssertion = z.object({
  ...shared,
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: bytes.exactOptional(),
  }),
})
export type PasskeyAssertion = z.infer<typeof PasskeyAssertion>
