import type { IncomingMessage } from 'node:http'
import type { TRPCError } from '@trpc/server'
import type { RequestHandler } from 'express'
import { toCallError } from '../console/errors.ts'
import { rateLimitError } from '../http/request/rate-limit.ts'
import type { Session } from '../people/account.ts'
import { networksAround } from '../runtime/limits/address-key.ts'
import type { Verdict } from '../runtime/limits/token-buckets.ts'
import { callerOf, type WebConsoleParts } from './caller.ts'

/** Most calls in one request, and bytes of them together: 20 of the largest inputs are not one person's work. */
const CALL_LIMITS = { maxBatchSize: 20, maxBodySize: 4 * 1_024 * 1_024 }

/** What the handlers of calls have in common. `failed`: what the log says of an internal error. */
export function callOptions({ api }: Pick<WebConsoleParts, 'api'>, failed: string) {
  return {
    ...CALL_LIMITS,
    allowMethodOverride: true,
    onError: ({ error, path = '' }: { error: TRPCError; path?: string | undefined }) => {
      if (toCallError(error, { path, input: undefined }).code !== 'internal') return
      api.failures.error(error.cause ?? error, failed, { path })
    },
  }
}

/** What separates the procedures of a request. */
const NEXT_CALL = /,|%2c/gi

/** Counts each call without a session against its address, as update checks are counted. */
export function limitStrangers(
  parts: WebConsoleParts,
  sessionOf: (request: IncomingMessage) => Session | undefined,
): RequestHandler {
  return async (request, _response, next) => {
    const { device } = parts.api.limits
    if (device.enabled && sessionOf(request) === undefined) {
      const calls = 1 + (request.path.match(NEXT_CALL)?.length ?? 0)
      for (let call = 0; call < Math.min(calls, CALL_LIMITS.maxBatchSize); call += 1) {
        const refused = refusedStranger(request, parts)
        if (refused === undefined) continue
        await parts.holdBack.wait()
        throw rateLimitError(refused)
      }
    }
    next()
  }
}

/** Counts a call against its address and the networks around it. Returns the verdict that refuses it, if one does. */
export function refusedStranger(
  request: IncomingMessage,
  parts: WebConsoleParts,
): Verdict | undefined {
  const { device, wider } = parts.api.limits
  const limits = [device, ...wider]
  for (const [size, key] of networksAround(callerOf(request, parts).address).entries()) {
    const verdict = limits[size]?.take(key)
    if (verdict?.allowed === false) return verdict
  }
  return undefined
}
