import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { callerAddress } from './address.ts'
import { createApp } from './app.ts'
import type { Check } from './check.ts'
import type { ApiContext } from './context.ts'
import { errorReply, sendReply } from './reply.ts'
import type { Tls } from './tls-files.ts'

/** Longer than the minute for which proxies and updaters keep a connection without using it. */
const KEEP_ALIVE = 65_000
const NO_HOST = errorReply(400, 'request: the header Host is required', { Connection: 'close' })

/** The HTTP server of the public API, not listening yet. `check` answers the update checks. */
export function createListener(context: ApiContext, check: Check, tls: Tls | undefined): Server {
  const app = createApp(context, check)
  const plain = plainCheck(context, check)
  // Reads the bodies of requests that have one, and spends nothing on those that have none.
  // A missing Host is refused here: Node would do so without a body.
  const options = {
    optimizeEmptyRequests: true,
    keepAliveTimeout: KEEP_ALIVE,
    requireHostHeader: false,
  }
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    if (lacksHost(request)) sendReply(response, NO_HOST)
    else if (!plain(request, response)) app(request, response)
  }
  const server =
    tls === undefined
      ? createServer(options, listener)
      : createSecureServer({ ...options, ...tls }, listener)
  server.on('clientError', answerGarbage)
  // What else a request expects is not met and does no harm; Node would refuse it without a body.
  server.on('checkExpectation', listener)
  return server
}

function lacksHost({ headers, httpVersion }: IncomingMessage): boolean {
  return headers.host === undefined && httpVersion === '1.1'
}

/**
 * The update check ahead of Express, which costs half of all that a check costs. Answers false
 * where the request is not a plain check; Express has it then.
 */
function plainCheck(context: ApiContext, check: Check) {
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const { method, url = '', headers } = request
    if (method !== 'GET' || !url.startsWith('/u/') || context.log.isLevelEnabled('debug')) {
      return false
    }
    const reply = check({ url, headers, address: callerAddress(request, context) })
    if (reply instanceof Promise) void reply.then((late) => sendReply(response, late))
    else sendReply(response, reply)
    return true
  }
}

/** What is not HTTP, or has too large a head, is answered in JSON too. */
function answerGarbage(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const reason =
    error.code === 'HPE_HEADER_OVERFLOW' ? 'the head is too large' : 'is not a valid HTTP request'
  const body = JSON.stringify({ error: `request: ${reason}` })
  socket.end(
    `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json; charset=utf-8\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}
