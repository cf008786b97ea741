import type { IncomingHttpHeaders } from 'node:http'
import { OutOfContact, Refusal, temporarily, Unavailable } from '../../catalog/errors.ts'
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

/** How requests of devices are answered. */
export interface Answers {
  readonly answer: Answerer
  /**
   * Answers a request without an update, as its client understands it, and records nothing. Throws `OutOfContact` if there
   * is no such answer.
   */
  readonly withoutUpdate: (request: CheckRequest, snapshot: Snapshot) => Reply
}

/**
 * Returns the check that answers as `answer` does, within the rate limit of devices, and turns what it throws into an
 * error response. While the server may not serve what it has in memory, there is no update. Checks are counted for the
 * metrics, except HEAD requests. Answers at once if `answer` does.
 */
export function createAnswering(context: ApiContext, { answer, withoutUpdate }: Answers): Check {
  const { catalog, limits, failures, checkCounts } = context
  const { mayServe } = context.contact
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
      if (!mayServe()) return withoutUpdate(request, catalog.snapshot)
      const reply = answer(request, catalog.snapshot, asked)
      if (reply instanceof Promise) return answerLater(request, reply)
      return mayServe() ? reply : withoutUpdate(request, catalog.snapshot)
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== 'unknown') return fail(error, request)
      return mayServe() ? answerFresh(request) : fail(new OutOfContact(), request)
    }
  }

  async function answerLater(request: CheckRequest, reply: Promise<Reply>): Promise<Reply> {
    try {
      const late = await reply
      return mayServe() ? late : withoutUpdate(request, catalog.snapshot)
    } catch (error) {
      return fail(mayServe() ? error : new OutOfContact(), request)
    }
  }

  /** An app or channel that is not known may be seconds old: made by another process. */
  async function answerFresh(request: CheckRequest): Promise<Reply> {
    const answered = async () => {
      const snapshot = await temporarily(() => catalog.refresh())
      return await answer(request, snapshot, asked)
    }
    return await answerLater(request, answered())
  }

  /** A first offer that cannot be stored is logged once, not for every device that waits for it. */
  function fail(error: unknown, { requestId }: CheckRequest): Reply {
    const { status, message, headers } = toHttpError(error)
    const isExpected = error instanceof Unavailable || error instanceof OutOfContact
    if (status >= 500 && !isExpected) {
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
