import { hash } from 'node:crypto'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'

/** A complete response, made outside of Express. Without a body it is a 204, which must not have one. */
export interface Reply {
  readonly status: number
  /** All of them, the length of the body included. */
  readonly headers: OutgoingHttpHeaders
  /** Text, or its bytes in parts. */
  readonly body?: string | readonly Uint8Array[]
  /** The status that metrics count in place of its own: 204 for a feed without an update. */
  readonly countsAs?: number
  /** Of a reply with a short text, or none, that many callers get. */
  readonly sent?: SentReply
}

/** A reply as a connection was last sent it, for all others that get it in the same second. */
export interface SentReply {
  /** Unix time in seconds, which `Date` names. */
  second: number
  /** The end of the head. */
  end: string
  bytes: Uint8Array
}

/** Returns what a reply begins with that was not sent yet. */
export function notSent(): SentReply {
  return { second: 0, end: '', bytes: new Uint8Array() }
}

export const NO_UPDATE: Reply = {
  status: 204,
  headers: { 'Cache-Control': 'no-store' },
  sent: notSent(),
}

/** A 200 with JSON of that many bytes in UTF-8. */
export function jsonReply(body: string | readonly Uint8Array[], bytes: number): Reply {
  // One literal, no spreading: this runs for every update that is offered.
  const headers = {
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes,
  }
  return { status: 200, headers, body }
}

/** An error as every route answers it: `{ error }`. */
export function errorReply(
  status: number,
  error: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const body = JSON.stringify({ error })
  const reply = jsonReply(body, Buffer.byteLength(body))
  return { status, headers: { ...reply.headers, ...headers }, body }
}

/** Sends an answer: one head, and one body or none at all. */
export function sendReply(response: ServerResponse, { status, headers, body }: Reply): void {
  if (typeof body !== 'object') {
    response.writeHead(status, headers).end(body)
    return
  }
  // Corked, so that head and parts are sent in one write.
  response.cork()
  response.writeHead(status, headers)
  for (const part of body) response.write(part)
  response.end()
}

/** The strong ETag of a body. */
export function etagOf(body: string | Buffer): string {
  return `"${hash('sha256', body, 'base64url').slice(0, 27)}"`
}

/** Returns whether `If-None-Match` names the ETag (RFC 9110, 13.1.2). Express ignores it beside `Cache-Control: no-cache`. */
export function isKnown(etag: string, ifNoneMatch: string | undefined): boolean {
  const named = ifNoneMatch?.split(',').map((tag) => opaque(tag.trim())) ?? []
  return named.includes(opaque(etag)) || named.includes('*')
}

function opaque(etag: string): string {
  return etag.replace(/^W\//, '')
}
