import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { STATUS_TOKEN_HEADER } from '../../../shared/operation/readiness.ts'
import type { ApiContext } from '../context.ts'

/**
 * Returns whether a request has the status token of this run of the server, which shows that its caller can read the
 * data folder.
 */
export function hasStatusToken(
  { headers }: Pick<IncomingMessage, 'headers'>,
  { statusToken }: Pick<ApiContext, 'statusToken'>,
): boolean {
  const given = headers[STATUS_TOKEN_HEADER]
  // As hashes, because only values of one length are compared in constant time.
  return typeof given === 'string' && timingSafeEqual(hashOf(given), hashOf(statusToken))
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
