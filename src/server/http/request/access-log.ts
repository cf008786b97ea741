import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from 'pino'
import proxyaddr from 'proxy-addr'
import { addressKey } from '../../runtime/limits/address-key.ts'
import { TokenBuckets } from '../../runtime/limits/token-buckets.ts'
import type { ApiContext, RequestRecorder } from '../context.ts'

const FIELD = 'X-Request-Id'
/** What a proxy may name a request: bounded, and harmless in logs. */
const ACCEPTED = /^[\w.:-]{1,64}$/

/** Names a request in the log and the response: as a trusted proxy does in `X-Request-Id`, or with a random UUID. Keeps a given name. */
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

const MINUTE = 60_000
/** Lines per minute and client address: more than the rate limits allow by default. */
const LINES_PER_ADDRESS = 1_200
/** Lines per minute in total. */
const LINES = 60_000
/** Characters of what a caller sends. */
const MAX_PATH = 256
const MAX_USER_AGENT = 128

interface AccessLogParts extends Pick<ApiContext, 'trustProxy'> {
  readonly log: Pick<Logger, 'info'>
  /** Monotonic clock, in milliseconds. */
  readonly clock?: (() => number) | undefined
}

/**
 * One line for every response. It has the path without the query, and no header but the user agent: keys and labels are
 * never in a log. Beyond 1,200 lines per minute and address, and 60,000 in total, lines are left out, and the next line
 * has their number.
 */
export class AccessLog implements RequestRecorder {
  readonly #parts: AccessLogParts
  readonly #perAddress: TokenBuckets
  readonly #total: TokenBuckets
  #leftOut = 0

  constructor(parts: AccessLogParts) {
    const time = parts.clock === undefined ? {} : { clock: parts.clock }
    this.#parts = parts
    this.#perAddress = new TokenBuckets({ capacity: LINES_PER_ADDRESS, period: MINUTE, ...time })
    this.#total = new TokenBuckets({ capacity: LINES, period: MINUTE, ...time })
  }

  /** Records the request once its response has ended. Returns the name of the request. */
  record(request: IncomingMessage, response: ServerResponse): string {
    const { trustProxy } = this.#parts
    const requestId = nameRequest(request, response, this.#parts)
    const began = performance.now()
    const { method, headers, socket } = request
    const { remoteAddress = '' } = socket
    const address = trustProxy === null ? remoteAddress : proxyaddr(request, trustProxy)
    const path = shownPath(request.url ?? '')
    response.once('close', () => {
      if (!this.#mayWrite(address)) return
      const milliseconds = Math.round((performance.now() - began) * 1_000) / 1_000
      this.#parts.log.info(
        {
          ...{ requestId, address, method, path, status: response.statusCode, milliseconds },
          // The connection was closed before the response had been sent.
          ...(response.writableFinished ? {} : { aborted: true }),
          userAgent: headers['user-agent']?.slice(0, MAX_USER_AGENT),
          ...(this.#leftOut > 0 ? { leftOut: this.#leftOut } : {}),
        },
        'access',
      )
      this.#leftOut = 0
    })
    return requestId
  }

  #mayWrite(address: string): boolean {
    const isWithin =
      this.#perAddress.take(addressKey(address)).allowed && this.#total.take('').allowed
    if (!isWithin) this.#leftOut++
    return isWithin
  }
}

/** Without the query, and without the ticket of a download, which is a secret until it is used. */
function shownPath(url: string): string {
  const [path = ''] = url.split('?', 1)
  return path.slice(0, MAX_PATH).replace(/^(\/console\/downloads\/).*/, '$1…')
}
