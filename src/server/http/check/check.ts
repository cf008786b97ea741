import type { IncomingHttpHeaders } from 'node:http'
import { Refusal, Unavailable } from '../../catalog/errors.ts'
import type { Snapshot } from '../../catalog/snapshot.ts'
import { serialiseOffer } from '../../decision/manifest.ts'
import type { CheckResult, UpdateCheck } from '../../updates/check-for-update.ts'
import { HttpError, toHttpError } from '../answer/errors.ts'
import { errorReply, jsonReply, NO_UPDATE, type Reply } from '../answer/reply.ts'
import type { ApiContext } from '../context.ts'
import { rateLimitHeaders, rateLimitMessage } from '../request/rate-limit.ts'
import { text } from '../strings.ts'
import { CheckPaths, readDeviceHeader, readLabels } from './check-path.ts'

export interface CheckRequest {
  /** Path and query as they came, percent-encoded. */
  readonly url: string
  readonly headers: IncomingHttpHeaders
  /** The caller's address, for the rate limit. */
  readonly address: string
  /** True for a HEAD request: answered like any other, but not counted and not an offer. */
  readonly headOnly?: boolean
}

export type Check = (request: CheckRequest) => Reply | Promise<Reply>

/**
 * The update check over HTTP, from path, query and headers to the answer: docs/api.md, "Check for an
 * update". A path of another shape is an unknown route. Never throws. Answers at once if the use case
 * does.
 */
export function createCheck(context: ApiContext): Check {
  const { catalog, updates, limits, failures } = context
  const paths = new CheckPaths()

  function check(request: CheckRequest): Reply | Promise<Reply> {
    try {
      if (limits.device.enabled) {
        const verdict = limits.device.take(request.address)
        if (!verdict.allowed) {
          return errorReply(429, rateLimitMessage(verdict), rateLimitHeaders(verdict))
        }
      }
      const result = updates.check(readCheck(request, catalog.snapshot))
      return result instanceof Promise ? result.then(replyWith, fail) : replyWith(result)
    } catch (error) {
      if (error instanceof Refusal && error.kind === 'unknown') return answerFresh(request)
      return fail(error)
    }
  }

  /** An app or channel that is not known may be seconds old: made by another process. */
  async function answerFresh(request: CheckRequest): Promise<Reply> {
    try {
      return replyWith(await updates.check(readCheck(request, await catalog.refresh())))
    } catch (error) {
      return fail(error)
    }
  }

  function readCheck(request: CheckRequest, snapshot: Snapshot): UpdateCheck {
    const { url, headers, address, headOnly } = request
    const path = pathOf(url)
    const installation = paths.read(path, snapshot)
    if (installation === undefined) throw new HttpError(404, text.unknownRoute('GET', path))
    const deviceId = readDeviceHeader(headers['x-service-device'])
    const query = url.slice(path.length + 1)
    const labels = query === '' ? undefined : readLabels(query)
    return { installation, deviceId, labels, caller: address, counts: headOnly !== true }
  }

  /** A first offer that cannot be stored is logged once, not for every device that waits for it. */
  function fail(error: unknown): Reply {
    const { status, message, headers } = toHttpError(error)
    if (status >= 500 && !(error instanceof Unavailable)) {
      failures.error(error, 'update check failed')
    }
    return errorReply(status, message, headers)
  }

  return check
}

function replyWith(offer: CheckResult): Reply {
  if (offer === null) return NO_UPDATE
  const { channel, decision, version } = offer
  const { text: whole, parts, length } = serialiseOffer(channel.compiled, decision, version)
  return jsonReply(whole ?? parts, length)
}

function pathOf(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? url : url.slice(0, mark)
}
