import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
/** Bytes of a new secret; the specification recommends 24 to 64. */
const SECRET_BYTES = 32

/** Returns a new secret as Standard Webhooks writes it: `whsec_` and base64. */
export function drawSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

export interface SignedContent {
  readonly id: string
  /** Whole seconds of Unix time. */
  readonly timestamp: number
  readonly body: string
}

/**
 * Returns the value of the header `webhook-signature`: a signature for each secret, separated by spaces
 * (Standard Webhooks, symmetric signatures).
 */
export function signatures(
  { id, timestamp, body }: SignedContent,
  secrets: readonly string[],
): string {
  const content = `${id}.${timestamp}.${body}`
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
      return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
    })
    .join(' ')
}
