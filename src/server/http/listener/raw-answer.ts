import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { STATUS_CODES } from '../../../shared/basics/node-http.ts'
import { text } from '../strings.ts'
import { closeGently } from './closing.ts'

/** Sends `{ error }` on a connection without a parsed request, and closes it. */
export function answerRaw(socket: Duplex, status: number, error: string): void {
  const body = JSON.stringify({ error })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    'Connection: close',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  // Nothing else handles errors of a connection without a request: the caller may be gone by now.
  socket.on('error', () => socket.destroy())
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  closeGently(socket)
}

/** Answers requests that are not valid HTTP, have too large a head, or did not arrive in time. */
export function answerGarbage(error: NodeJS.ErrnoException, socket: Duplex): void {
  // A caller that has sent nothing does not wait for an answer.
  const isSilent = 'bytesRead' in socket && socket.bytesRead === 0
  if (error.code === 'ECONNRESET' || !socket.writable || isSilent) socket.destroy()
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    answerRaw(socket, 408, text.request.late)
  } else if (error.code === 'HPE_HEADER_OVERFLOW') {
    answerRaw(socket, 400, text.request.largeHead)
  } else answerRaw(socket, 400, text.request.notHttp)
}

const sockets = new WeakSet<object>()

/** Lets a request take as long as it goes on: the upload of a large file. Returns how to end that. */
export function allowLong({ socket }: Pick<IncomingMessage, 'socket'>): () => void {
  sockets.add(socket)
  return () => sockets.delete(socket)
}

/** Returns whether the request on a connection may take as long as it goes on. */
export function mayTakeLong(socket: object): boolean {
  return sockets.has(socket)
}
