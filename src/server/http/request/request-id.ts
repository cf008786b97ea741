import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ApiContext } from '../context.ts'

const FIELD = 'X-Request-Id'
/** What a proxy may name a request: bounded, and harmless in logs. */
const ACCEPTED = /^[\w.:-]{1,64}$/

/**
 * Names a request, for the log and in the response: as a trusted proxy does in `X-Request-Id`, or with a random UUID.
 * Keeps the name that the request has already.
 */
export function nameRequest(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  response: ServerResponse,
  { trustProxy }: Pick<ApiContext, 'trustProxy'>,
): string {
  const known = requestIdOf(response)
  if (known !== undefined) return known
  const given = headers['x-request-id']
  const isTrusted = trustProxy?.(socket.remoteAddress ?? '', 0) === true
  const id = isTrusted && typeof given === 'string' && ACCEPTED.test(given) ? given : randomUUID()
  response.setHeader(FIELD, id)
  return id
}

/** Returns the name of the request that a response is for, if it has one. */
export function requestIdOf(response: ServerResponse): string | undefined {
  const id = response.getHeader(FIELD)
  return typeof id === 'string' ? id : undefined
}
