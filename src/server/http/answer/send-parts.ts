import type { Response } from 'express'

/** A part of a response: bytes, or text in ASCII. */
export type Part = Uint8Array | string

/** Up to this many bytes, a response is sent as one piece, which is cheaper than many small ones. */
const MAX_COPIED = 1024 * 1024
/** Milliseconds in which a caller must read what was sent before more is sent. */
const STALLED_AFTER = 60_000

/**
 * Sends a JSON response that is given in parts. A long response is sent no faster than the caller reads,
 * so that it takes no memory beyond its parts; a caller that reads nothing for 60 seconds is
 * disconnected. Resolves when everything was passed to the socket, or the caller is gone.
 */
export async function sendParts(
  response: Response,
  parts: readonly Part[],
  stalledAfter = STALLED_AFTER,
): Promise<void> {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  response.type('json').set('Content-Length', String(length))
  if (response.req.method === 'HEAD') {
    response.end()
    return
  }
  if (length <= MAX_COPIED) {
    response.end(parts.length === 1 ? parts[0] : joined(parts, length))
    return
  }
  for (const part of parts) {
    if (response.destroyed) return
    if (!response.write(part, 'latin1')) await drained(response, stalledAfter)
  }
  response.end()
}

function joined(parts: readonly Part[], length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  let at = 0
  for (const part of parts) {
    if (typeof part === 'string') bytes.write(part, at, 'latin1')
    else bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** Waits until the caller has read what was sent. A caller that does not is disconnected. */
function drained(response: Response, stalledAfter: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => response.destroy(), stalledAfter)
    const done = () => {
      clearTimeout(timer)
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
    if (response.destroyed) done()
  })
}
