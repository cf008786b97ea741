import type { IncomingHttpHeaders } from 'node:http'
import { Refusal, Unavailable } from '../../catalog/errors.ts'
import type { Snapshot } from '../../catalog/snapshot.ts'
import { toHttpError } from '../answer/errors.ts'
import { errorReply, type Reply } from '../answer/reply.ts'
import type { ApiContext } from '../context.ts'
import { rateLimitHeaders, rateLimitMessage } from '../request/rate-limit.ts'

export interface CheckRequest {
  /** Path and query as they came, percent-encoded. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** The caller's address, for the rate limit. */
  readonly address: string
  /** For the log; undefined unless requests are named. */
  readonly requestId?: string | undefined
  /** True for a HEAD request: answered like any other, but not counted and not an offer. */
  readonly headOnly?: boolean
}

/** Answers a request of a device, without a key and ahead of Express. Never throws. */
export type Check = (request: CheckRequest) => Reply | Promise<Reply>

/** What is known of a request while it is read. */
export interface Asked {
  /** The app that it names, for the metrics; 0 until it is known. */
  appKey: number
}

/** Reads a request in a state of the catalog and answers it; sets `asked` before it returns. */
export type Answerer = (
  request: CheckRequest,
  snapshot: Snapshot,
  asked: Asked,
) => Reply | Promise<Reply>

/**
 * Returns the check that answers as `answer` does, within the rate limit of devices, and turns what it throws into an
 * error response. Checks are counted for the metrics, except HEAD requests. Answers at once if `answer` does.
 */
export function createAnswering(context: ApiContext, answer: Answerer): Check {
  const { catalog, limits, failures, checkCounts } = context
  // One for all: it means something only until the next request is read.
  const asked: Asked = { appKey: 0 }

  function check(request: CheckRequest): Reply | Promise<Reply> {
    try {
      if (limits.device.enabled) {
        const verdict = limits.device.take(request.address)
        if (!verdict.allowed) {
          return errorReply(429, rateLimitMessage(verdict), rateLimitHeaders(verdict))
        }
      }
      const reply = answer(request, catalog.snapshot, asked)
      return reply instanceof Promise ? reply.catch((error) => fail(error, request)) : reply
    } catch (error) {
      if (error instanceof Refusal && error.kind === 'unknown') return answerFresh(request)
      return fail(error, request)
    }
  }

  /** An app or channel that is not known may be seconds old: made by another process. */
  async function answerFresh(request: CheckRequest): Promise<Reply> {
    try {
      return await answer(request, await catalog.refresh(), asked)
    } catch (error) {
      return fail(error, request)
    }
  }

  /** A first offer that cannot be stored is logged once, not for every device that waits for it. */
  function fail(error: unknown, { requestId }: CheckRequest): Reply {
    const { status, message, headers } = toHttpError(error)
    if (status >= 500 && !(error instanceof Unavailable)) {
      failures.error(error, 'update check failed', requestId === undefined ? {} : { requestId })
    }
    return errorReply(status, message, headers)
  }

  if (checkCounts === undefined) return check

  return (request) => {
    if (request.headOnly === true) return check(request)
    const began = performance.now()
    asked.appKey = 0
    const reply = check(request)
    const app = asked.appKey
    if (reply instanceof Promise) {
      return reply.then((late) => {
        checkCounts.add(app, late.countsAs ?? late.status, performance.now() - began)
        return late
      })
    }
    checkCounts.add(app, reply.countsAs ?? reply.status, performance.now() - began)
    return reply
  }
}

/** Returns the path of a request target, without its query. */
export function pathOf(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? url : url.slice(0, mark)
}
