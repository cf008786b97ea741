import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { RequestHandler } from 'express'
import { messageOf } from '../../../shared/basics/message-of.ts'
import { HttpError } from '../answer/errors.ts'
import { keepOpen } from '../listener/closing.ts'
import { text } from '../strings.ts'

const BYTE_ORDER_MARK = '\uFEFF'
/** The start of an escape, without which UTF-8 contains no surrogates. */
const UNICODE_ESCAPE = '\\u'
/** Maximum nesting: more than any route accepts. */
const MAX_DEPTH = 32

/**
 * Parses JSON in UTF-8, without a byte order mark; of duplicate members the last counts (RFC 8259). Throws the error 400 for
 * invalid UTF-8, JSON or Unicode.
 */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new HttpError(400, text.body.notUtf8)
  const decoded = bytes.toString('utf8')
  const json = decoded.startsWith(BYTE_ORDER_MARK) ? decoded.slice(1) : decoded
  const value = parse(json)
  if (json.includes(UNICODE_ESCAPE)) refuseLoneSurrogates(value)
  return value
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    throw new HttpError(400, text.body.notJson(messageOf(error)))
  }
}

/** Not recursive: a body of 2 MiB may be a million arrays deep. */
function refuseLoneSurrogates(body: unknown): void {
  const open: Place[] = [{ value: body, key: 'body', parent: undefined, depth: 0 }]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value, key, depth } = place
    if (depth > MAX_DEPTH) throw new HttpError(400, text.body.tooDeep)
    if (!key.isWellFormed())
      throw new HttpError(400, text.body.loneSurrogateInName(pathOf(place.parent)))
    if (typeof value === 'string') {
      if (!value.isWellFormed()) throw new HttpError(400, text.body.loneSurrogate(pathOf(place)))
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        open.push({ value: member, key: name, parent: place, depth: depth + 1 })
      }
    }
  }
}

interface Place {
  readonly value: unknown
  readonly key: string
  readonly parent: Place | undefined
  readonly depth: number
}

function pathOf(place: Place | undefined): string {
  const keys: string[] = []
  for (let at = place; at?.parent !== undefined; at = at.parent) keys.unshift(at.key)
  return keys.length === 0 ? 'body' : keys.join('.')
}

/** Largest body, in bytes, before and after decompression. */
const MAX_BODY = 2 * 1024 * 1024
/** The same for a caller without a key. */
const MAX_KEYLESS_BODY = 16 * 1024
/** The same for an envelope of Sentry. */
const MAX_ENVELOPE = 1024 * 1024

const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]*)/i
const DECODERS = {
  gzip: createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const

/** Reads a JSON body of any content type, because `curl -d` sends a wrong one, up to 2 MiB. None counts as an empty object. */
export const jsonBody: RequestHandler = jsonBodyWithin(MAX_BODY)

/** The same for callers without a key, who send little: at most 16 KiB. */
export const keylessBody: RequestHandler = jsonBodyWithin(MAX_KEYLESS_BODY)

/** Reads an envelope of Sentry as it is, at most 1 MiB. */
export const envelopeBody: RequestHandler = async (request, response, next) => {
  request.body = await readBody(request, response, MAX_ENVELOPE)
  next()
}

function jsonBodyWithin(limit: number): RequestHandler {
  return async (request, response, next) => {
    const bytes = await readBody(request, response, limit)
    request.body = bytes.length === 0 ? {} : parseJson(bytes)
    next()
  }
}

async function readBody(request: IncomingMessage, response: ServerResponse, limit: number) {
  const { headers } = request
  if (Number(headers['content-length'] ?? 0) > limit) throw tooLarge(limit)
  refuseCharset(headers['content-type'])
  const decode = decoderOf(headers['content-encoding'])
  if (headers.expect?.toLowerCase() === '100-continue') response.writeContinue()
  const bytes = await collect(request, limit)
  keepOpen(response)
  if (decode === undefined) return bytes
  const decoder = decode()
  decoder.end(bytes)
  return await collect(decoder, limit)
}

/** Reads a stream to its end. Stops when there is too much. */
function collect(stream: Readable, limit: number): Promise<Buffer> {
  // A request without a body has ended before anyone listens.
  if (stream.readableEnded) return Promise.resolve(Buffer.alloc(0))
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    // The stream lives until it is answered. What its listeners hold for that long costs a full collection.
    const settle = () => {
      for (const [event, listener] of Object.entries(listeners)) stream.off(event, listener)
      // A decoder that is not read any more may still find out that its input is damaged.
      stream.on('error', () => {})
    }
    const fail = (error: HttpError) => {
      settle()
      stream.pause()
      reject(error)
    }
    const listeners = {
      data(chunk: Buffer) {
        length += chunk.length
        if (length > limit) fail(tooLarge(limit))
        else chunks.push(chunk)
      },
      end() {
        settle()
        const [first] = chunks
        resolve(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks, length))
      },
      error({ message }: Error) {
        fail(new HttpError(400, text.body.unreadable(message)))
      },
      // The only event when the caller disconnects.
      close() {
        fail(new HttpError(400, text.body.incomplete))
      },
    }
    for (const [event, listener] of Object.entries(listeners)) stream.on(event, listener)
  })
}

function refuseCharset(contentType = ''): void {
  const [, charset = 'utf-8'] = CHARSET.exec(contentType) ?? []
  if (charset.toLowerCase() === 'utf-8') return
  throw new HttpError(400, text.body.charset)
}

function decoderOf(encoding = 'identity') {
  const name = encoding.toLowerCase()
  if (name === 'identity') return undefined
  if (name === 'gzip' || name === 'deflate' || name === 'br') return DECODERS[name]
  throw new HttpError(400, text.body.encoding(Object.keys(DECODERS)))
}

function tooLarge(limit: number): HttpError {
  const mebibytes = limit / 1024 ** 2
  const size = mebibytes < 1 ? `${limit / 1024} KiB` : `${mebibytes} MiB`
  return new HttpError(413, text.body.tooLarge(size))
}
