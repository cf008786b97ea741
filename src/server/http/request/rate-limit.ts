import type { IncomingMessage } from 'node:http'
import type { Nodes } from '../../runtime/cluster/nodes.ts'
import { SharedBuckets, type SharedRateLimit } from '../../runtime/limits/shared-buckets.ts'
import {
  type RateLimit,
  type Sharers,
  TokenBuckets,
  type Verdict,
} from '../../runtime/limits/token-buckets.ts'
import { HttpError } from '../answer/errors.ts'
import type { ApiContext } from '../context.ts'
import { text } from '../strings.ts'
import { callerAddress } from './address.ts'

const MINUTE = 60_000

/** Returns buckets for that many requests a minute; 0 for no limit. `sharers`: the nodes that divide them. */
export function perMinute(limit: number, sharers?: Sharers): TokenBuckets {
  return new TokenBuckets({ capacity: limit, period: MINUTE, sharers })
}

/** Returns the limit, and has `onRefused` called for every refusal. */
export function watched(limit: RateLimit, onRefused: () => void): RateLimit {
  const take = (key: string) => {
    const verdict = limit.take(key)
    if (!verdict.allowed) onRefused()
    return verdict
  }
  return { enabled: limit.enabled, take }
}

/** Returns the same for all nodes together, or for this process if there are no nodes. */
export function perMinuteTogether(limit: number, nodes: Nodes | undefined): SharedRateLimit {
  if (nodes === undefined || limit === 0) return perMinute(limit)
  const { limits } = nodes
  return new SharedBuckets({ capacity: limit, period: MINUTE, sharers: nodes, store: limits })
}

/** The `RateLimit` fields, of the IETF draft and as most clients still read them; with `Retry-After` on a refusal. */
export function rateLimitHeaders(verdict: Verdict): Record<string, string> {
  const { allowed, limit, remaining, retrySeconds, fullSeconds } = verdict
  // A caller with nothing left waits for one request, not for a full bucket.
  const reset = remaining === 0 ? retrySeconds : fullSeconds
  return {
    'RateLimit-Policy': `"minute";q=${limit};w=60`,
    RateLimit: `"minute";r=${remaining};t=${reset}`,
    'RateLimit-Limit': String(limit),
    'RateLimit-Remaining': String(remaining),
    'RateLimit-Reset': String(reset),
    ...(allowed ? {} : { 'Retry-After': String(retrySeconds) }),
  }
}

/** Returns the message of a 429. */
export function rateLimitMessage({ limit, retrySeconds }: Verdict): string {
  return text.rateLimit(limit, retrySeconds)
}

/** The 429 for a caller that the verdict refuses. */
export function rateLimitError(verdict: Verdict): HttpError {
  return new HttpError(429, rateLimitMessage(verdict), rateLimitHeaders(verdict))
}

/** Counts a request without a key against its address, as update checks are counted. */
export function limitAddress(context: ApiContext) {
  const { device } = context.limits
  return (request: IncomingMessage, _response: unknown, next: () => void): void => {
    if (device.enabled) {
      const verdict = device.take(callerAddress(request, context))
      if (!verdict.allowed) throw rateLimitError(verdict)
    }
    next()
  }
}
