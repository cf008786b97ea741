import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer } from '../../../shared/basics/node-http.ts'
import { errorReply, type Reply, sendReply } from '../answer/reply.ts'
import type { ApiContext } from '../context.ts'
import { callerAddress } from '../request/address.ts'
import { text } from '../strings.ts'
import { checkFor, type DeviceChecks } from '../update-feeds/device-checks.ts'
import { closeAfterAnswer, hasMore } from './closing.ts'
import { limitConnections } from './connections.ts'
import { answerPlainChecks } from './plain-checks.ts'
import { answerGarbage, answerRaw, mayTakeLong } from './raw-answer.ts'
import type { Tls } from './tls-files.ts'

const SLASH = 0x2f
const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/i

/**
 * Returns path and query of a request target. The absolute form means the same as its path
 * (RFC 9112 section 3.2.2). Slashes in a row mean one: whoever joins an address that ends in one with a path asks for both,
 * and an app that was built so would never update. Undefined if there is neither, such as in `http://` or `*`.
 */
function pathOfTarget(target: string): string | undefined {
  if (target.charCodeAt(0) === SLASH) return withSingleSlashes(target)
  const [, host, rest = ''] = ABSOLUTE.exec(target) ?? []
  if (host === undefined || host === '') return undefined
  return withSingleSlashes(rest.startsWith('/') ? rest : `/${rest}`)
}

function withSingleSlashes(target: string): string {
  if (!target.includes('//')) return target
  const [path = ''] = target.split('?', 1)
  return `${path.replace(/\/{2,}/g, '/')}${target.slice(path.length)}`
}

/** Maximum header fields of a request. Node would silently drop further ones. */
const MAX_HEADER_FIELDS = 100

/** Returns what is wrong with the head of a request, before any route sees it. */
function headIssue({ rawHeaders, httpVersion }: IncomingMessage): string | undefined {
  if (rawHeaders.length > MAX_HEADER_FIELDS * 2) {
    return text.request.manyFields(MAX_HEADER_FIELDS)
  }
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1) return text.request.manyHosts
  return hosts === 0 && httpVersion === '1.1' ? text.request.noHost : undefined
}

/** Longer than the minute for which proxies and updaters keep a connection without using it. */
const KEEP_ALIVE = 65_000
/** Milliseconds for the head of a request, and for the handshake before it. */
const HEAD_TIME = 10_000
/** Milliseconds for a request with its body: 2 MiB at 70 kB per second. */
const REQUEST_TIME = 30_000
/** Milliseconds in which a caller must take some of an answer that waits for it. */
const STALL_TIME = 60_000
const CLOSE = { Connection: 'close' }
const NO_PATH = errorReply(400, text.request.noPath, CLOSE)

export interface ListenerOptions {
  readonly tls: Tls | undefined
  readonly maxConnections: number
  /** Milliseconds in which the request head must arrive, enforced with a tolerance of a tenth. */
  readonly headTime?: number
  /** Milliseconds in which the whole request must arrive. */
  readonly requestTime?: number
  /** Milliseconds in which some of it, or of the answer, must cross the wire. */
  readonly stallTime?: number
}

export interface ApiListener {
  readonly server: Server
  /** Loads what devices do not need; else the first request for it does. Call it when the server listens. */
  loadRest(): void
}

/** Creates the HTTP server of the public API. `checks` answer devices. */
export function createListener(
  context: ApiContext,
  checks: DeviceChecks,
  options: ListenerOptions,
): ApiListener {
  const { tls, maxConnections } = options
  const { headTime = HEAD_TIME, requestTime = REQUEST_TIME, stallTime = STALL_TIME } = options
  const { webConsole, accessLog } = context
  // Express and the routes take longer to load than all that devices need.
  const app = deferApp(
    async () => (await import('../app.ts')).createApp(context, checks),
    (error) => context.failures.error(error, 'could not load the API'),
  )
  // Reads the bodies of requests that have one, and spends nothing on those that have none.
  // A missing Host is refused here: Node would do so without a body.
  const serverOptions = {
    optimizeEmptyRequests: true,
    keepAliveTimeout: KEEP_ALIVE,
    requireHostHeader: false,
    headersTimeout: headTime,
    requestTimeout: requestTime,
    connectionsCheckingInterval: headTime / 10,
    // Every other request that asks for an upgrade is answered as if it did not (RFC 9110, section 7.8).
    shouldUpgradeCallback: (request: IncomingMessage) => webConsole?.wantsUpgrade(request) === true,
  }
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    // No request is answered after a response that closes the connection.
    if (request.socket.writableEnded) return
    if (hasMore(request)) closeAfterAnswer(response)
    const requestId = accessLog?.record(request, response)
    const refusal = refusalOf(request)
    if (refusal !== undefined) {
      // The caller may still be sending other requests.
      closeAfterAnswer(response)
      sendReply(response, refusal)
      return
    }
    const { method, url = '', headers } = request
    const check = method === 'GET' ? checkFor(checks, url) : undefined
    if (check === undefined || context.log.isLevelEnabled('debug')) {
      app.answer(request, response)
      return
    }
    // Ahead of Express, which costs half of all that a check costs.
    const reply = check({ url, headers, address: callerAddress(request, context), requestId })
    if (reply instanceof Promise) void reply.then((late) => sendReply(response, late))
    else sendReply(response, reply)
  }
  const server =
    tls === undefined
      ? createServer(serverOptions, listener)
      : createSecureServer({ ...serverOptions, ...tls, handshakeTimeout: headTime }, listener)
  // All of them, because headIssue counts them; how long a head may be is limited anyway.
  server.maxHeadersCount = 0
  // A caller that does not read its answer would keep its connection forever.
  server.timeout = stallTime
  limitConnections(server, maxConnections, context.trustProxy)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Node reports this once for a request, which goes on if nobody ends it.
    const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    if (!isLate || !mayTakeLong(socket)) answerGarbage(error, socket)
  })
  // Sent by whatever reads the body; until then the caller does not send the body.
  server.on('checkContinue', listener)
  // Other expectations are ignored; Node would reject them without a body.
  server.on('checkExpectation', listener)
  server.on('upgrade', (request, socket, head) => webConsole?.upgrade(request, socket, head))
  server.on('connect', ({ url }, socket) => {
    answerRaw(socket, 404, text.unknownRoute('CONNECT', url ?? ''))
  })
  answerPlainChecks(server, { checks, context, headTime })
  return { server, loadRest: app.begin }
}

/** Rejects requests that no route can answer, and sets the path of the others. */
function refusalOf(request: IncomingMessage): Reply | undefined {
  const issue = headIssue(request)
  if (issue !== undefined) return errorReply(400, text.request.invalid(issue), CLOSE)
  const { method, url = '' } = request
  if (method === 'OPTIONS' && url === '*') return undefined
  const path = pathOfTarget(url)
  if (path === undefined) return NO_PATH
  if (path !== url) request.url = path
  return undefined
}

type App = (request: IncomingMessage, response: ServerResponse) => void

/** An app that is loaded after the server listens, or by the first request. */
interface DeferredApp {
  /** Passes the request on, once the app is loaded. Answers 500 if it cannot be. */
  readonly answer: App
  /** Loads the app, unless that has begun. */
  begin(): void
}

/** Defers an app. `onFailure` hears of a failure to load it, and of every request that could not be answered for it. */
export function deferApp(
  load: () => Promise<App>,
  onFailure: (error: unknown) => void,
): DeferredApp {
  let app: App | undefined
  let loading: Promise<App> | undefined
  const loaded = () => {
    loading ??= load().then((result) => {
      app = result
      return result
    })
    return loading
  }
  return {
    answer(request, response) {
      if (app !== undefined) {
        app(request, response)
        return
      }
      loaded().then(
        (result) => {
          // Whoever has gone meanwhile is not read from: nothing would come.
          if (!request.socket.destroyed) result(request, response)
        },
        (error) => {
          onFailure(error)
          sendReply(response, errorReply(500, text.internalError))
        },
      )
    },
    begin: () => void loaded().catch(onFailure),
  }
}
