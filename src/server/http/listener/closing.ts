import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Milliseconds for which the rest of a request is read and discarded after its response. */
const LINGER_TIME = 2_000

/** Returns whether a body or another protocol may follow the head. Node drops data in the packet of an offer to upgrade. */
export function hasMore({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': coding, upgrade } = headers
  return coding !== undefined || upgrade !== undefined || (length !== undefined && length !== '0')
}

/** Closes the connection after the response unless `keepOpen` is called, as at the end of a body: it may never end otherwise. */
export function closeAfterAnswer(response: ServerResponse): void {
  if (!response.shouldKeepAlive) return
  response.shouldKeepAlive = false
  // Before Node's own listener, which closes the connection.
  response.prependOnceListener('finish', readTheRest)
}

/** Keeps the connection for the next request after the body was read. */
export function keepOpen(response: ServerResponse): void {
  if (response.listenerCount('finish', readTheRest) === 0) return
  response.shouldKeepAlive = true
  response.off('finish', readTheRest)
}

/** Only here, because a connection that names its requests makes garbage collection expensive. */
function readTheRest(this: ServerResponse): void {
  const { req: request, socket } = this
  // Whoever stops reading a body may have destroyed the request, and the connection with it.
  if (socket !== null) socket.destroySoon = () => closeGently(socket, request)
}

/** Ends a connection while the caller sends, which is read for a moment: a reset could lose the response (RFC 9112, 9.6). */
export function closeGently(socket: Duplex, from: { resume(): unknown } = socket): void {
  socket.end()
  from.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER_TIME)
  socket.once('close', () => clearTimeout(timer))
}
