import type { IncomingMessage } from 'node:http'
import type { RequestHandler } from 'express'
import { rateLimitError } from '../http/request/rate-limit.ts'
import type { Session } from '../people/account.ts'
import { callerOf } from './caller.ts'
import type { WebConsoleParts } from './parts.ts'

/** Most calls in one request, and bytes of them together: 20 of the largest inputs are not one person's work. */
export const CALL_LIMITS = { maxBatchSize: 20, maxBodySize: 4 * 1_024 * 1_024 }

/** Counts calls without a session against their address, as update checks are counted. */
export function limitStrangers(
  parts: WebConsoleParts,
  sessionOf: (request: IncomingMessage) => Session | undefined,
): RequestHandler {
  const { device } = parts.api.limits
  return (request, _response, next) => {
    if (device.enabled && sessionOf(request) === undefined) {
      const verdict = device.take(callerOf(request, parts).address)
      if (!verdict.allowed) throw rateLimitError(verdict)
    }
    next()
  }
}
